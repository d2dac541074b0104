#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

constexpr int least_priority = 0, greatest_priority = -5;
// Steps of the machine stand for nanoseconds, so that programs which divide by a time can do so.
constexpr double steps_per_ms = 1e6;

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
        return cudaSuccess;
    }
    event->captured = nullptr;
    event->recorded = true;
    event->at = device.steps();
    runtime.timeline().record_event(event->number, stream->number);
    return cudaSuccess;
}

}  // namespace

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
    return waiting_call("cudaStreamSynchronize", [&](Runtime& runtime, Device&) {
        const Stream* awaited = runtime.stream(stream);
        if (awaited == nullptr) return cudaErrorInvalidResourceHandle;
        runtime.timeline().wait_for_stream(awaited->number);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return waiting_call("cudaStreamQuery", [&](Runtime& runtime, Device&) {
        const Stream* awaited = runtime.stream(stream);
        if (awaited == nullptr) return cudaErrorInvalidResourceHandle;
        runtime.timeline().wait_for_stream(awaited->number);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return call("cudaStreamWaitEvent", [&](Runtime& runtime, Device&) {
        Stream* waiting = runtime.stream(stream);
        Event* awaited = runtime.event(event);
        if (waiting == nullptr || awaited == nullptr) return cudaErrorInvalidResourceHandle;
        if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return cudaErrorInvalidValue;
        // A stream that waits for a capturing one joins its graph.
        if (awaited->captured != nullptr && waiting->capture == cudaStreamCaptureStatusNone) {
            waiting->capture = cudaStreamCaptureStatusActive;
            waiting->captured = awaited->captured;
        } else if (awaited->captured == nullptr) {
            runtime.timeline().wait_for_event(awaited->number, waiting->number);
        }
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
        return runtime.submit(stream, cudaGraphNodeTypeHost, [=, &runtime](Device&) {
            runtime.timeline().host_function(runtime.timeline().stream());
            callback(stream, runtime.sticky(), data);
            return cudaSuccess;
        });
    });
}

LANESCOPE_CUDA cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return call("cudaLaunchHostFunc", [&](Runtime& runtime, Device&) {
        if (function == nullptr) return cudaErrorInvalidValue;
        return runtime.submit(stream, cudaGraphNodeTypeHost, [=](Device& device) {
            device.timeline().host_function(device.timeline().stream());
            function(data);
            return cudaSuccess;
        });
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
    return waiting_call("cudaEventSynchronize", [&](Runtime& runtime, Device&) {
        const Event* awaited = runtime.event(event);
        if (awaited == nullptr) return cudaErrorInvalidResourceHandle;
        runtime.timeline().wait_for_event(awaited->number);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaEventQuery(cudaEvent_t event) {
    return waiting_call("cudaEventQuery", [&](Runtime& runtime, Device&) {
        const Event* awaited = runtime.event(event);
        if (awaited == nullptr) return cudaErrorInvalidResourceHandle;
        runtime.timeline().wait_for_event(awaited->number);
        return cudaSuccess;
    });
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

// --- capture and graphs

LANESCOPE_CUDA cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
    return call("cudaStreamBeginCapture", [&](Runtime& runtime, Device&) {
        Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (handle == nullptr || handle == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
        if (stream->capture != cudaStreamCaptureStatusNone) return cudaErrorIllegalState;
        stream->capture = cudaStreamCaptureStatusActive;
        stream->captured = std::make_shared<Graph>();
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
    return call("cudaStreamEndCapture", [&](Runtime& runtime, Device&) {
        Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (graph == nullptr) return cudaErrorInvalidValue;
        if (stream->capture == cudaStreamCaptureStatusNone) return cudaErrorIllegalState;
        const std::shared_ptr<Graph> made = stream->captured;
        runtime.end_capture(made);
        *graph = runtime.add_graph(made);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
    return call("cudaStreamIsCapturing", [&](Runtime& runtime, Device&) {
        Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (status == nullptr) return cudaErrorInvalidValue;
        *status = stream->capture;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    return call("cudaThreadExchangeStreamCaptureMode", [&](Runtime&, Device&) {
        static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
        if (mode == nullptr) return cudaErrorInvalidValue;
        std::swap(*mode, current);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph,
                                                unsigned long long) {
    return call("cudaGraphInstantiate", [&](Runtime& runtime, Device&) {
        const Graph* known = runtime.graph(graph);
        if (instance == nullptr || known == nullptr) return cudaErrorInvalidValue;
        Graph ordered;
        if (!known->in_order(ordered)) return cudaErrorInvalidValue;
        *instance = runtime.instantiate(ordered);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* instance, cudaGraph_t graph,
                                                         unsigned long long flags) {
    return cudaGraphInstantiate(instance, graph, flags);
}

LANESCOPE_CUDA cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t stream) {
    return call("cudaGraphLaunch", [&](Runtime& runtime, Device&) {
        const Graph* known = runtime.instance(instance);
        if (known == nullptr) return cudaErrorInvalidValue;
        return runtime.submit(stream, cudaGraphNodeTypeGraph, [graph = *known](Device& device) {
            device.timeline().launch_graph(device.timeline().stream(), graph.nodes.size());
            return graph.run(device);
        });
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphUpload(cudaGraphExec_t instance, cudaStream_t stream) {
    return call("cudaGraphUpload", [&](Runtime& runtime, Device&) {
        return runtime.instance(instance) != nullptr && runtime.stream(stream) != nullptr
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
    return call("cudaGraphGetNodes", [&](Runtime& runtime, Device&) {
        Graph* graph = runtime.graph(handle);
        if (graph == nullptr || count == nullptr) return cudaErrorInvalidValue;
        if (nodes == nullptr) {
            *count = graph->nodes.size();
            return cudaSuccess;
        }
        for (std::size_t i = 0; i < *count; ++i)
            nodes[i] =
                i < graph->nodes.size() ? reinterpret_cast<cudaGraphNode_t>(graph->nodes[i].get()) : nullptr;
        *count = std::min(*count, graph->nodes.size());
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return call("cudaGraphDestroy", [&](Runtime& runtime, Device&) {
        return runtime.destroy_graph(graph) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
    return call("cudaGraphExecDestroy", [&](Runtime& runtime, Device&) {
        return runtime.destroy_instance(instance) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
