// The functions of CUDA's runtime that a program calls here first; each calls the runtime's own.
#include <optional>

#include "gpu/programs/real.h"
#include "gpu/programs/watcher.h"

using lanescope::gpu::AskedLaunch;
using lanescope::gpu::Watcher;

#define LANESCOPE_WATCHED extern "C" __attribute__((visibility("default")))

namespace lanescope::gpu {

namespace {

// A function of the runtime as the program calls it.
struct Called {
    const char* name = "";
    std::optional<cudaStream_t>
        captured_on{};   // a graph may be captured from this stream: then nothing is done yet
    bool waits = false;  // for the device, and returns what went wrong before
};

// The thread's default stream begins with its first use, before the call.
void begin_stream(const Called& called, cudaStream_t stream) {
    if (stream != cudaStreamPerThread) return;
    Watcher& watcher = Watcher::instance();
    const std::scoped_lock lock(watcher.mutex());
    const cudart::Journal::Inside inside(watcher.journal(), called.name);
    watcher.host().stream(stream);
}

// `tell(watcher, began_ms)` writes what a call did that went well.
template <class Call, class Tell>
cudaError_t told(const Called& called, const Call& call, const Tell& tell) {
    Watcher& watcher = Watcher::instance();
    const double began_ms = watcher.journal().now_ms();
    const cudaError_t error = call();
    const std::scoped_lock lock(watcher.mutex());
    const cudart::Journal::Inside inside(watcher.journal(), called.name);
    if (called.waits && error != cudaErrorNotReady) watcher.settle();
    if (error == cudaSuccess && !(called.captured_on && Watcher::is_capturing(*called.captured_on)))
        tell(watcher, began_ms);
    return watcher.returned(error);
}

cudaError_t launched(const char* called, const AskedLaunch& asked,
                     const std::function<cudaError_t()>& submit) {
    Watcher& watcher = Watcher::instance();
    const std::scoped_lock lock(watcher.mutex());
    const cudart::Journal::Inside inside(watcher.journal(), called);
    return watcher.launch(asked, submit);
}

// The default stream of a function that was compiled with one default stream for each thread.
cudaStream_t of_thread(cudaStream_t stream) {
    return stream == nullptr ? cudaStreamPerThread : stream;
}

// A variable of the device, by the host's address of it.
cudart::HostEnd variable(const Watcher& watcher, const void* symbol) {
    return {{}, 0, watcher.variable_name(symbol)};
}

cudart::HostEnd at(WatchedHost& host, const void* pointer) {
    return host.memory().end_of(pointer);
}
cudart::HostEnd at(WatchedHost& host, cudaArray_const_t array, std::size_t x, std::size_t y) {
    return host.memory().end_of(array, x, y);
}

void allocate(WatchedHost& host, const void* pointer, std::size_t size, cudaStream_t stream) {
    if (Watcher::is_capturing(stream))
        host.allocate_in_graph(pointer, size);
    else
        host.allocate(pointer, size, "device");
}

}  // namespace

}  // namespace lanescope::gpu

using namespace lanescope::gpu;

// Rooms below this one name errors by it, too.
LANESCOPE_WATCHED const char* cudaGetErrorName(cudaError_t error) {
    return LANESCOPE_REAL(cudaGetErrorName)(error);
}

// --- what nvcc's code calls before main()

LANESCOPE_WATCHED void** __cudaRegisterFatBinary(void* wrapper) {
    void** const handle = LANESCOPE_REAL(__cudaRegisterFatBinary)(wrapper);
    Watcher::instance().add_module(handle, wrapper);
    return handle;
}

LANESCOPE_WATCHED void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                                              int limit, uint3* thread, uint3* block, dim3* block_size,
                                              dim3* grid_size, int* warp_size) {
    Watcher::instance().add_function(handle, host, name);
    LANESCOPE_REAL(__cudaRegisterFunction)
    (handle, host, device, name, limit, thread, block, block_size, grid_size, warp_size);
}

LANESCOPE_WATCHED void __cudaRegisterVar(void** handle, char* host, char* device, const char* name,
                                         int extern_, size_t size, int constant, int global) {
    Watcher::instance().add_variable(handle, host, name, size, constant != 0);
    LANESCOPE_REAL(__cudaRegisterVar)(handle, host, device, name, extern_, size, constant, global);
}

LANESCOPE_WATCHED cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    return told(
        {"__cudaGetKernel"}, [&] { return LANESCOPE_REAL(__cudaGetKernel)(kernel, function); },
        [&](Watcher& watcher, double) { watcher.add_kernel(*kernel, function); });
}

LANESCOPE_WATCHED cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    return told(
        {"cudaGetKernel"}, [&] { return LANESCOPE_REAL(cudaGetKernel)(kernel, function); },
        [&](Watcher& watcher, double) { watcher.add_kernel(*kernel, function); });
}

// --- launches

#define LANESCOPE_LAUNCH(name, cooperative, on)                                                       \
    LANESCOPE_WATCHED cudaError_t name(const void* function, dim3 grid, dim3 block, void** arguments, \
                                       size_t shared, cudaStream_t stream) {                          \
        return launched(#name, {function, grid, block, arguments, shared, on, cooperative}, [&] {     \
            return LANESCOPE_REAL(name)(function, grid, block, arguments, shared, stream);            \
        });                                                                                           \
    }
LANESCOPE_LAUNCH(cudaLaunchKernel, false, stream)
LANESCOPE_LAUNCH(cudaLaunchKernel_ptsz, false, of_thread(stream))
LANESCOPE_LAUNCH(cudaLaunchCooperativeKernel, true, stream)
LANESCOPE_LAUNCH(cudaLaunchCooperativeKernel_ptsz, true, of_thread(stream))

#define LANESCOPE_KERNEL_LAUNCH(name, on)                                                                \
    LANESCOPE_WATCHED cudaError_t name(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,     \
                                       size_t shared, cudaStream_t stream) {                             \
        const void* function = Watcher::instance().function_of(kernel);                                  \
        return launched("cudaLaunchKernel", {function, grid, block, arguments, shared, on, false}, [&] { \
            return LANESCOPE_REAL(name)(kernel, grid, block, arguments, shared, stream);                 \
        });                                                                                              \
    }
LANESCOPE_KERNEL_LAUNCH(__cudaLaunchKernel, stream)
LANESCOPE_KERNEL_LAUNCH(__cudaLaunchKernel_ptsz, of_thread(stream))

#define LANESCOPE_CONFIGURED_LAUNCH(name, on)                                                          \
    LANESCOPE_WATCHED cudaError_t name(const cudaLaunchConfig_t* configuration, const void* function,  \
                                       void** arguments) {                                             \
        if (configuration == nullptr) return LANESCOPE_REAL(name)(configuration, function, arguments); \
        const cudaStream_t stream = configuration->stream;                                             \
        bool cooperative = false;                                                                      \
        std::optional<lanescope::trace::Dim3> cluster;                                                 \
        for (unsigned i = 0; i < configuration->numAttrs; ++i) {                                       \
            const cudaLaunchAttribute& each = configuration->attrs[i];                                 \
            if (each.id == cudaLaunchAttributeCooperative) cooperative = each.val.cooperative != 0;    \
            if (each.id == cudaLaunchAttributeClusterDimension)                                        \
                cluster = {each.val.clusterDim.x, each.val.clusterDim.y, each.val.clusterDim.z};       \
        }                                                                                              \
        return launched("cudaLaunchKernelExC",                                                         \
                        {function, configuration->gridDim, configuration->blockDim, arguments,         \
                         configuration->dynamicSmemBytes, on, cooperative, cluster},                   \
                        [&] { return LANESCOPE_REAL(name)(configuration, function, arguments); });     \
    }
LANESCOPE_CONFIGURED_LAUNCH(cudaLaunchKernelExC, stream)
LANESCOPE_CONFIGURED_LAUNCH(cudaLaunchKernelExC_ptsz, of_thread(stream))

// --- calls that the journal tells

// `what` is done with `host` and `began_ms`, and with `on`, the stream. Functions with and without _ptsz or
// _ptds stand for code with a default stream for each thread, and with one for all.
#define LANESCOPE_TOLD(symbol, called, stream_used, parameters, arguments, what)       \
    LANESCOPE_WATCHED cudaError_t symbol parameters {                                  \
        [[maybe_unused]] const cudaStream_t on = stream_used;                          \
        begin_stream(Called called, on);                                               \
        return told(                                                                   \
            Called called, [&] { return LANESCOPE_REAL(symbol) arguments; },           \
            [&]([[maybe_unused]] Watcher& watcher, [[maybe_unused]] double began_ms) { \
                [[maybe_unused]] WatchedHost& host = watcher.host();                   \
                what;                                                                  \
            });                                                                        \
    }
// A call that does not wait, and concerns no stream.
#define LANESCOPE_CALL(name, parameters, arguments, what) \
    LANESCOPE_TOLD(name, ({#name}), nullptr, parameters, arguments, what)
// A call that waits, and works on the default stream.
#define LANESCOPE_WAIT(name, parameters, arguments, what) \
    LANESCOPE_TOLD(name, ({#name, {}, true}), nullptr, parameters, arguments, what)
#define LANESCOPE_WAIT_DEFAULT(name, parameters, arguments, what) \
    LANESCOPE_WAIT(name, parameters, arguments, what)             \
    LANESCOPE_TOLD(name##_ptds, ({#name, {}, true}), cudaStreamPerThread, parameters, arguments, what)
#define LANESCOPE_WAIT_STREAM(name, parameters, arguments, what)                   \
    LANESCOPE_TOLD(name, ({#name, {}, true}), stream, parameters, arguments, what) \
    LANESCOPE_TOLD(name##_ptsz, ({#name, {}, true}), of_thread(stream), parameters, arguments, what)
// A call that gives work to `stream`.
#define LANESCOPE_WORK(name, parameters, arguments, what)                    \
    LANESCOPE_TOLD(name, ({#name, on}), stream, parameters, arguments, what) \
    LANESCOPE_TOLD(name##_ptsz, ({#name, on}), of_thread(stream), parameters, arguments, what)

// --- memory

LANESCOPE_CALL(cudaMalloc, (void** pointer, size_t size), (pointer, size),
               host.allocate(*pointer, size, "device"))
LANESCOPE_CALL(cudaMallocHost, (void** pointer, size_t size), (pointer, size),
               host.allocate(*pointer, size, "pinned"))
LANESCOPE_CALL(cudaHostAlloc, (void** pointer, size_t size, unsigned flags), (pointer, size, flags),
               host.allocate(*pointer, size, "pinned"))
LANESCOPE_CALL(cudaHostRegister, (void* pointer, size_t size, unsigned flags), (pointer, size, flags),
               host.allocate(pointer, size, "registered"))
LANESCOPE_CALL(cudaMallocManaged, (void** pointer, size_t size, unsigned flags), (pointer, size, flags),
               host.allocate(*pointer, size, "managed"))
LANESCOPE_CALL(cudaMallocPitch, (void** pointer, size_t* pitch, size_t width, size_t height),
               (pointer, pitch, width, height), host.allocate(*pointer, *pitch* height, "device"))
LANESCOPE_CALL(cudaMalloc3D, (cudaPitchedPtr * pitched, cudaExtent extent), (pitched, extent),
               host.allocate(pitched->ptr, pitched->pitch* extent.height* extent.depth, "device"))
LANESCOPE_CALL(cudaMallocArray,
               (cudaArray_t * array, const cudaChannelFormatDesc* format, size_t width, size_t height,
                unsigned flags),
               (array, format, width, height, flags),
               host.allocate_array(*array, {*format, {width, height, 0}, flags}))
LANESCOPE_CALL(cudaMalloc3DArray,
               (cudaArray_t * array, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned flags),
               (array, format, extent, flags), host.allocate_array(*array, {*format, extent, flags}))

#define LANESCOPE_STREAM_ALLOCATION(name, parameters, arguments)                                       \
    LANESCOPE_TOLD(name, ({#name}), stream, parameters, arguments, allocate(host, *pointer, size, on)) \
    LANESCOPE_TOLD(name##_ptsz, ({#name}), of_thread(stream), parameters, arguments,                   \
                   allocate(host, *pointer, size, on))
LANESCOPE_STREAM_ALLOCATION(cudaMallocAsync, (void** pointer, size_t size, cudaStream_t stream),
                            (pointer, size, stream))
LANESCOPE_STREAM_ALLOCATION(cudaMallocFromPoolAsync,
                            (void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream),
                            (pointer, size, pool, stream))

LANESCOPE_WAIT(cudaFree, (void* pointer), (pointer), host.free(pointer))
LANESCOPE_WAIT(cudaFreeHost, (void* pointer), (pointer), host.free(pointer))
LANESCOPE_CALL(cudaHostUnregister, (void* pointer), (pointer), host.free(pointer))
LANESCOPE_WAIT(cudaFreeArray, (cudaArray_t array), (array), host.free_array(array))
LANESCOPE_WORK(cudaFreeAsync, (void* pointer, cudaStream_t stream), (pointer, stream), host.free(pointer, on))

LANESCOPE_CALL(cudaGetSymbolAddress, (void** pointer, const void* symbol), (pointer, symbol),
               watcher.note_variable(symbol, *pointer))

LANESCOPE_CALL(cudaCreateTextureObject,
               (cudaTextureObject_t * object, const cudaResourceDesc* resource, const cudaTextureDesc* how,
                const cudaResourceViewDesc* view),
               (object, resource, how, view),
               host.memory().add_texture(*object, {*resource, *how, view != nullptr}))
LANESCOPE_CALL(cudaDestroyTextureObject, (cudaTextureObject_t object), (object),
               host.memory().remove_texture(object))
LANESCOPE_CALL(cudaCreateSurfaceObject, (cudaSurfaceObject_t * object, const cudaResourceDesc* resource),
               (object, resource), host.memory().add_surface(*object, *resource))
LANESCOPE_CALL(cudaDestroySurfaceObject, (cudaSurfaceObject_t object), (object),
               host.memory().remove_surface(object))

// --- copies

LANESCOPE_WAIT_DEFAULT(cudaMemcpy, (void* to, const void* from, size_t size, cudaMemcpyKind kind),
                       (to, from, size, kind),
                       host.copy(on, at(host, to), at(host, from), {size}, kind, began_ms))
LANESCOPE_WORK(cudaMemcpyAsync,
               (void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream),
               (to, from, size, kind, stream),
               host.copy(on, at(host, to), at(host, from), {size}, kind, began_ms))
LANESCOPE_WAIT(cudaMemcpyPeer, (void* to, int to_device, const void* from, int from_device, size_t size),
               (to, to_device, from, from_device, size),
               host.copy(on, at(host, to), at(host, from), {size}, cudaMemcpyDeviceToDevice, began_ms))
LANESCOPE_TOLD(cudaMemcpyPeerAsync, ({"cudaMemcpyPeerAsync", on}), stream,
               (void* to, int to_device, const void* from, int from_device, size_t size, cudaStream_t stream),
               (to, to_device, from, from_device, size, stream),
               host.copy(on, at(host, to), at(host, from), {size}, cudaMemcpyDeviceToDevice, began_ms))
LANESCOPE_WAIT_DEFAULT(cudaMemcpyToSymbol,
                       (const void* to, const void* from, size_t size, size_t offset, cudaMemcpyKind kind),
                       (to, from, size, offset, kind),
                       host.copy(on, variable(watcher, to), at(host, from), {size}, kind, began_ms))
LANESCOPE_WORK(cudaMemcpyToSymbolAsync,
               (const void* to, const void* from, size_t size, size_t offset, cudaMemcpyKind kind,
                cudaStream_t stream),
               (to, from, size, offset, kind, stream),
               host.copy(on, variable(watcher, to), at(host, from), {size}, kind, began_ms))
LANESCOPE_WAIT_DEFAULT(cudaMemcpyFromSymbol,
                       (void* to, const void* from, size_t size, size_t offset, cudaMemcpyKind kind),
                       (to, from, size, offset, kind),
                       host.copy(on, at(host, to), variable(watcher, from), {size}, kind, began_ms))
LANESCOPE_WORK(cudaMemcpyFromSymbolAsync,
               (void* to, const void* from, size_t size, size_t offset, cudaMemcpyKind kind,
                cudaStream_t stream),
               (to, from, size, offset, kind, stream),
               host.copy(on, at(host, to), variable(watcher, from), {size}, kind, began_ms))
LANESCOPE_WAIT_DEFAULT(cudaMemcpy2D,
                       (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                        size_t height, cudaMemcpyKind kind),
                       (to, to_pitch, from, from_pitch, width, height, kind),
                       host.copy(on, at(host, to), at(host, from), {width, height}, kind, began_ms))
LANESCOPE_WORK(cudaMemcpy2DAsync,
               (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                cudaMemcpyKind kind, cudaStream_t stream),
               (to, to_pitch, from, from_pitch, width, height, kind, stream),
               host.copy(on, at(host, to), at(host, from), {width, height}, kind, began_ms))
LANESCOPE_WAIT_DEFAULT(cudaMemcpy3D, (const cudaMemcpy3DParms* box), (box), host.copy(on, *box, began_ms))
LANESCOPE_WORK(cudaMemcpy3DAsync, (const cudaMemcpy3DParms* box, cudaStream_t stream), (box, stream),
               host.copy(on, *box, began_ms))

// Older programs call these.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
LANESCOPE_WAIT_DEFAULT(cudaMemcpyToArray,
                       (cudaArray_t to, size_t x, size_t y, const void* from, size_t size,
                        cudaMemcpyKind kind),
                       (to, x, y, from, size, kind),
                       host.copy(on, at(host, to, x, y), at(host, from), {size}, kind, began_ms))
LANESCOPE_WORK(cudaMemcpyToArrayAsync,
               (cudaArray_t to, size_t x, size_t y, const void* from, size_t size, cudaMemcpyKind kind,
                cudaStream_t stream),
               (to, x, y, from, size, kind, stream),
               host.copy(on, at(host, to, x, y), at(host, from), {size}, kind, began_ms))
LANESCOPE_WAIT_DEFAULT(cudaMemcpyFromArray,
                       (void* to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                        cudaMemcpyKind kind),
                       (to, from, x, y, size, kind),
                       host.copy(on, at(host, to), at(host, from, x, y), {size}, kind, began_ms))
LANESCOPE_WORK(cudaMemcpyFromArrayAsync,
               (void* to, cudaArray_const_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind,
                cudaStream_t stream),
               (to, from, x, y, size, kind, stream),
               host.copy(on, at(host, to), at(host, from, x, y), {size}, kind, began_ms))
#pragma GCC diagnostic pop
LANESCOPE_WAIT_DEFAULT(cudaMemcpy2DToArray,
                       (cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                        size_t height, cudaMemcpyKind kind),
                       (to, x, y, from, pitch, width, height, kind),
                       host.copy(on, at(host, to, x, y), at(host, from), {width, height}, kind, began_ms))
LANESCOPE_WORK(cudaMemcpy2DToArrayAsync,
               (cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                size_t height, cudaMemcpyKind kind, cudaStream_t stream),
               (to, x, y, from, pitch, width, height, kind, stream),
               host.copy(on, at(host, to, x, y), at(host, from), {width, height}, kind, began_ms))
LANESCOPE_WAIT_DEFAULT(cudaMemcpy2DFromArray,
                       (void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                        size_t height, cudaMemcpyKind kind),
                       (to, pitch, from, x, y, width, height, kind),
                       host.copy(on, at(host, to), at(host, from, x, y), {width, height}, kind, began_ms))
LANESCOPE_WORK(cudaMemcpy2DFromArrayAsync,
               (void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                size_t height, cudaMemcpyKind kind, cudaStream_t stream),
               (to, pitch, from, x, y, width, height, kind, stream),
               host.copy(on, at(host, to), at(host, from, x, y), {width, height}, kind, began_ms))
LANESCOPE_WAIT_DEFAULT(cudaMemcpy2DArrayToArray,
                       (cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                        size_t from_y, size_t width, size_t height, cudaMemcpyKind kind),
                       (to, to_x, to_y, from, from_x, from_y, width, height, kind),
                       host.copy(on, at(host, to, to_x, to_y), at(host, from, from_x, from_y),
                                 {width, height}, kind, began_ms))

// --- fills

// cudaMemset does not wait.
#define LANESCOPE_FILL(name, parameters, arguments, what) \
    LANESCOPE_CALL(name, parameters, arguments, what)     \
    LANESCOPE_TOLD(name##_ptds, ({#name}), cudaStreamPerThread, parameters, arguments, what)
LANESCOPE_FILL(cudaMemset, (void* to, int value, size_t size), (to, value, size),
               host.fill(on, to, value, {size}, began_ms))
LANESCOPE_WORK(cudaMemsetAsync, (void* to, int value, size_t size, cudaStream_t stream),
               (to, value, size, stream), host.fill(on, to, value, {size}, began_ms))
LANESCOPE_FILL(cudaMemset2D, (void* to, size_t pitch, int value, size_t width, size_t height),
               (to, pitch, value, width, height), host.fill(on, to, value, {width, height}, began_ms))
LANESCOPE_WORK(cudaMemset2DAsync,
               (void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
               (to, pitch, value, width, height, stream), host.fill(on, to, value, {width, height}, began_ms))
LANESCOPE_FILL(cudaMemset3D, (cudaPitchedPtr to, int value, cudaExtent extent), (to, value, extent),
               host.fill(on, to.ptr, value, {extent.width, extent.height* extent.depth}, began_ms))
LANESCOPE_WORK(cudaMemset3DAsync, (cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream),
               (to, value, extent, stream),
               host.fill(on, to.ptr, value, {extent.width, extent.height* extent.depth}, began_ms))

// --- streams, events, waits

LANESCOPE_CALL(cudaStreamCreate, (cudaStream_t * stream), (stream),
               host.create_stream(*stream, cudaStreamDefault, 0))
LANESCOPE_CALL(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags),
               host.create_stream(*stream, flags, 0))
LANESCOPE_CALL(cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned flags, int priority),
               (stream, flags, priority), host.create_stream(*stream, flags, priority))
LANESCOPE_CALL(cudaStreamDestroy, (cudaStream_t stream), (stream), host.destroy_stream(stream))
LANESCOPE_WORK(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
               (stream, event, flags), host.events().wait_for_event(host.event(event), host.stream(on)))
LANESCOPE_WORK(cudaStreamAddCallback,
               (cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags),
               (stream, callback, data, flags), host.events().host_function(host.stream(on)))
LANESCOPE_WORK(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void* data),
               (stream, function, data), host.events().host_function(host.stream(on)))
LANESCOPE_WORK(cudaGraphLaunch, (cudaGraphExec_t instance, cudaStream_t stream), (instance, stream),
               host.events().launch_graph(host.stream(on)))

LANESCOPE_CALL(cudaEventCreate, (cudaEvent_t * event), (event), host.create_event(*event))
LANESCOPE_CALL(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags),
               host.create_event(*event))
LANESCOPE_CALL(cudaEventDestroy, (cudaEvent_t event), (event), host.destroy_event(event))
LANESCOPE_WORK(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream),
               host.events().record_event(host.event(event), host.stream(on)))
LANESCOPE_WORK(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
               (event, stream, flags), host.events().record_event(host.event(event), host.stream(on)))

LANESCOPE_WAIT(cudaDeviceSynchronize, (), (), host.events().host_waits_for_device(began_ms))
LANESCOPE_WAIT_STREAM(cudaStreamSynchronize, (cudaStream_t stream), (stream),
                      host.events().host_waits_for_stream(host.stream(on), began_ms))
LANESCOPE_WAIT_STREAM(cudaStreamQuery, (cudaStream_t stream), (stream),
                      host.events().host_waits_for_stream(host.stream(on), began_ms))
LANESCOPE_WAIT(cudaEventSynchronize, (cudaEvent_t event), (event),
               host.events().host_waits_for_event(host.event(event), began_ms))
LANESCOPE_WAIT(cudaEventQuery, (cudaEvent_t event), (event),
               host.events().host_waits_for_event(host.event(event), began_ms))

// --- other calls whose errors are listed

LANESCOPE_CALL(cudaSetDevice, (int device), (device), )
LANESCOPE_CALL(cudaFuncSetAttribute, (const void* function, cudaFuncAttribute attribute, int value),
               (function, attribute, value), )
LANESCOPE_CALL(cudaEventElapsedTime, (float* ms, cudaEvent_t begin, cudaEvent_t end), (ms, begin, end), )

LANESCOPE_WATCHED cudaError_t cudaDeviceReset() {
    {
        const std::scoped_lock lock(Watcher::instance().mutex());
        Watcher::instance().settle();
    }
    return told(
        {"cudaDeviceReset"}, [] { return LANESCOPE_REAL(cudaDeviceReset)(); },
        [](Watcher& watcher, double) { watcher.reset(); });
}
