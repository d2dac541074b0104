#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

constexpr int least_priority = 0, greatest_priority = -5;
// Steps of the machine stand for nanoseconds, so that programs which divide by a time can do so.
constexpr double steps_per_ms = 1e6;

bool is_stream_attribute(cudaLaunchAttributeID id) {
    return id == cudaLaunchAttributeAccessPolicyWindow || id == cudaLaunchAttributeSynchronizationPolicy ||
           id == cudaLaunchAttributePriority || id == cudaLaunchAttributeMemSyncDomainMap ||
           id == cudaLaunchAttributeMemSyncDomain;
}

// The cache is not simulated: a window is kept, and has no effect.
bool is_possible(const cudaAccessPolicyWindow& window) {
    return window.num_bytes <= most_window_bytes && window.hitRatio >= 0 && window.hitRatio <= 1 &&
           window.missProp != cudaAccessPropertyPersisting;
}

cudaError_t make_stream(Runtime& runtime, cudaStream_t* stream, unsigned flags, int priority) {
    if (stream == nullptr || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
        return cudaErrorInvalidValue;
    *stream = runtime.make_stream(flags, priority);
    return cudaSuccess;
}

cudaError_t record(Runtime& runtime, Device& device, cudaEvent_t handle, cudaStream_t stream_handle) {
    Event* event = runtime.event(handle);
    Stream* stream = runtime.stream(stream_handle);
    if (event == nullptr || stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (stream->capture == cudaStreamCaptureStatusActive) {
        event->captured = stream->captured;
        event->last = stream->last;
        return cudaSuccess;
    }
    record_now(device, *event, stream->number);
    return cudaSuccess;
}

cudaError_t wait_for_stream(const char* function, cudaStream_t stream) {
    return waiting_call(function, [&](Runtime& runtime, Device&) {
        const Stream* awaited = runtime.stream(stream);
        if (awaited == nullptr) return cudaErrorInvalidResourceHandle;
        runtime.timeline().wait_for_stream(awaited->number);
        return cudaSuccess;
    });
}

cudaError_t wait_for_event(const char* function, cudaEvent_t event) {
    return waiting_call(function, [&](Runtime& runtime, Device&) {
        const Event* awaited = runtime.event(event);
        if (awaited == nullptr) return cudaErrorInvalidResourceHandle;
        runtime.timeline().wait_for_event(awaited->number);
        return cudaSuccess;
    });
}

}  // namespace

void record_now(Device& device, Event& event, std::uint64_t stream) {
    event.captured = nullptr;
    event.last.clear();
    event.recorded = true;
    event.at = device.steps();
    device.timeline().record_event(event.number, stream);
}

}  // namespace lanescope::cudart

// --- streams

LANESCOPE_CUDA cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return call("cudaStreamCreate", [&](Runtime& runtime, Device&) {
        return make_stream(runtime, stream, cudaStreamDefault, 0);
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return call("cudaStreamCreateWithFlags",
                [&](Runtime& runtime, Device&) { return make_stream(runtime, stream, flags, 0); });
}

LANESCOPE_CUDA cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return call("cudaStreamCreateWithPriority", [&](Runtime& runtime, Device&) {
        return make_stream(runtime, stream, flags, std::clamp(priority, greatest_priority, least_priority));
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return call("cudaStreamDestroy", [&](Runtime& runtime, Device&) {
        return runtime.destroy_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return wait_for_stream("cudaStreamSynchronize", stream);
}

LANESCOPE_CUDA cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return wait_for_stream("cudaStreamQuery", stream);
}

LANESCOPE_CUDA cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return call("cudaStreamWaitEvent", [&](Runtime& runtime, Device&) {
        Stream* waiting = runtime.stream(stream);
        Event* awaited = runtime.event(event);
        if (waiting == nullptr || awaited == nullptr) return cudaErrorInvalidResourceHandle;
        if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return cudaErrorInvalidValue;
        if (awaited->captured == nullptr)
            runtime.timeline().wait_for_event(awaited->number, waiting->number);
        else
            runtime.join_capture(*waiting, *awaited);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
    return call("cudaStreamGetFlags", [&](Runtime& runtime, Device&) {
        Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (flags == nullptr) return cudaErrorInvalidValue;
        *flags = stream->flags;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
    return call("cudaStreamGetPriority", [&](Runtime& runtime, Device&) {
        Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (priority == nullptr) return cudaErrorInvalidValue;
        *priority = stream->priority;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
    return call("cudaStreamGetId", [&](Runtime& runtime, Device&) {
        Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (id == nullptr) return cudaErrorInvalidValue;
        *id = stream->number + 1;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                                  const cudaLaunchAttributeValue* value) {
    return call("cudaStreamSetAttribute", [&](Runtime& runtime, Device&) {
        Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (value == nullptr || !is_stream_attribute(id)) return cudaErrorInvalidValue;
        if (id == cudaLaunchAttributeAccessPolicyWindow && !is_possible(value->accessPolicyWindow))
            return cudaErrorInvalidValue;
        if (id == cudaLaunchAttributePriority)
            stream->priority = std::clamp(value->priority, greatest_priority, least_priority);
        stream->attributes[id] = *value;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                                  cudaLaunchAttributeValue* value) {
    return call("cudaStreamGetAttribute", [&](Runtime& runtime, Device&) {
        const Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (value == nullptr || !is_stream_attribute(id)) return cudaErrorInvalidValue;
        const auto known = stream->attributes.find(id);
        *value = known == stream->attributes.end() ? cudaLaunchAttributeValue{} : known->second;
        if (id == cudaLaunchAttributePriority) value->priority = stream->priority;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return call("cudaStreamCopyAttributes", [&](Runtime& runtime, Device&) {
        Stream *target = runtime.stream(to), *source = runtime.stream(from);
        if (target == nullptr || source == nullptr) return cudaErrorInvalidResourceHandle;
        target->attributes = source->attributes;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned) {
    return call("cudaStreamAttachMemAsync", [&](Runtime& runtime, Device&) {
        return runtime.stream(stream) != nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                                 void* data, unsigned flags) {
    return call("cudaStreamAddCallback", [&](Runtime& runtime, Device&) {
        if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
        if (runtime.is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
        return runtime.submit(stream, {cudaGraphNodeTypeHost, [=, &runtime](Device&) {
                                           runtime.timeline().host_function(runtime.timeline().stream());
                                           callback(stream, runtime.sticky(), data);
                                           return cudaSuccess;
                                       }});
    });
}

LANESCOPE_CUDA cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return call("cudaLaunchHostFunc", [&](Runtime& runtime, Device&) {
        const cudaHostNodeParams host{function, data};
        Task task;
        const cudaError_t error = describe_host(&host, task);
        return error != cudaSuccess ? error : runtime.submit(stream, std::move(task));
    });
}

// --- events

LANESCOPE_CUDA cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return call("cudaEventCreateWithFlags", [&](Runtime& runtime, Device&) {
        constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        if (event == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
        *event = runtime.make_event(flags);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

LANESCOPE_CUDA cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return call("cudaEventDestroy", [&](Runtime& runtime, Device&) {
        return runtime.destroy_event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

LANESCOPE_CUDA cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return call("cudaEventRecord",
                [&](Runtime& runtime, Device& device) { return record(runtime, device, event, stream); });
}

LANESCOPE_CUDA cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return call("cudaEventRecordWithFlags", [&](Runtime& runtime, Device& device) {
        if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) return cudaErrorInvalidValue;
        return record(runtime, device, event, stream);
    });
}

LANESCOPE_CUDA cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return wait_for_event("cudaEventSynchronize", event);
}

LANESCOPE_CUDA cudaError_t cudaEventQuery(cudaEvent_t event) {
    return wait_for_event("cudaEventQuery", event);
}

LANESCOPE_CUDA cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return call("cudaEventElapsedTime", [&](Runtime& runtime, Device&) {
        const Event *first = runtime.event(start), *last = runtime.event(end);
        if (milliseconds == nullptr) return cudaErrorInvalidValue;
        if (first == nullptr || last == nullptr || !first->recorded || !last->recorded ||
            ((first->flags | last->flags) & cudaEventDisableTiming) != 0)
            return cudaErrorInvalidResourceHandle;
        *milliseconds = static_cast<float>((static_cast<double>(last->at) - static_cast<double>(first->at)) /
                                           steps_per_ms);
        runtime.journal().warn(
            "times of events are steps of the CPU machine (a warp instruction counts as a nanosecond), not a "
            "GPU's");
        return cudaSuccess;
    });
}
