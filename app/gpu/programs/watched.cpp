// The functions of CUDA's runtime that a program calls here first; each calls the runtime's own.
#include "gpu/programs/real.h"
#include "gpu/programs/watcher.h"

using lanescope::gpu::AskedLaunch;
using lanescope::gpu::Watcher;

#define LANESCOPE_WATCHED extern "C" __attribute__((visibility("default")))

namespace lanescope::gpu {

namespace {

// `note` sees the watcher when the call went well.
template <class Note>
cudaError_t noted(const char* called, cudaError_t error, const Note& note) {
    Watcher& watcher = Watcher::instance();
    const std::scoped_lock lock(watcher.mutex());
    const cudart::Journal::Inside inside(watcher.journal(), called);
    if (error == cudaSuccess) note(watcher);
    return watcher.returned(error);
}

cudaError_t noted(const char* called, cudaError_t error) {
    return noted(called, error, [](Watcher&) {});
}

cudaError_t waited(const char* called, cudaError_t error) {
    Watcher& watcher = Watcher::instance();
    const std::scoped_lock lock(watcher.mutex());
    const cudart::Journal::Inside inside(watcher.journal(), called);
    if (error != cudaErrorNotReady) watcher.settle();
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
    const cudaError_t error = LANESCOPE_REAL(__cudaGetKernel)(kernel, function);
    return noted("__cudaGetKernel", error, [&](Watcher& watcher) { watcher.add_kernel(*kernel, function); });
}

LANESCOPE_WATCHED cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    const cudaError_t error = LANESCOPE_REAL(cudaGetKernel)(kernel, function);
    return noted("cudaGetKernel", error, [&](Watcher& watcher) { watcher.add_kernel(*kernel, function); });
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
        for (unsigned i = 0; i < configuration->numAttrs; ++i)                                         \
            if (configuration->attrs[i].id == cudaLaunchAttributeCooperative)                          \
                cooperative = configuration->attrs[i].val.cooperative != 0;                            \
        return launched("cudaLaunchKernelExC",                                                         \
                        {function, configuration->gridDim, configuration->blockDim, arguments,         \
                         configuration->dynamicSmemBytes, on, cooperative},                            \
                        [&] { return LANESCOPE_REAL(name)(configuration, function, arguments); });     \
    }
LANESCOPE_CONFIGURED_LAUNCH(cudaLaunchKernelExC, stream)
LANESCOPE_CONFIGURED_LAUNCH(cudaLaunchKernelExC_ptsz, of_thread(stream))

// --- memory

#define LANESCOPE_ALLOCATION(name, kind, bytes, parameters, arguments)                     \
    LANESCOPE_WATCHED cudaError_t name parameters {                                        \
        return noted(#name, LANESCOPE_REAL(name) arguments,                                \
                     [&](Watcher& watcher) { watcher.add_block(*pointer, bytes, kind); }); \
    }
LANESCOPE_ALLOCATION(cudaMalloc, "device", size, (void** pointer, size_t size), (pointer, size))
LANESCOPE_ALLOCATION(cudaMallocHost, "pinned", size, (void** pointer, size_t size), (pointer, size))
LANESCOPE_ALLOCATION(cudaHostAlloc, "pinned", size, (void** pointer, size_t size, unsigned flags),
                     (pointer, size, flags))
LANESCOPE_ALLOCATION(cudaMallocManaged, "managed", size, (void** pointer, size_t size, unsigned flags),
                     (pointer, size, flags))
LANESCOPE_ALLOCATION(cudaMallocPitch, "device", *pitch* height,
                     (void** pointer, size_t* pitch, size_t width, size_t height),
                     (pointer, pitch, width, height))
LANESCOPE_ALLOCATION(cudaMallocAsync, "device", size, (void** pointer, size_t size, cudaStream_t stream),
                     (pointer, size, stream))
LANESCOPE_ALLOCATION(cudaMallocAsync_ptsz, "device", size, (void** pointer, size_t size, cudaStream_t stream),
                     (pointer, size, stream))
LANESCOPE_ALLOCATION(cudaMallocFromPoolAsync, "device", size,
                     (void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream),
                     (pointer, size, pool, stream))

LANESCOPE_WATCHED cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    return noted("cudaMalloc3D", LANESCOPE_REAL(cudaMalloc3D)(pitched, extent), [&](Watcher& watcher) {
        watcher.add_block(pitched->ptr, pitched->pitch * extent.height * extent.depth, "device");
    });
}

#define LANESCOPE_RELEASE(name, parameters, arguments)                          \
    LANESCOPE_WATCHED cudaError_t name parameters {                             \
        return noted(#name, LANESCOPE_REAL(name) arguments,                     \
                     [&](Watcher& watcher) { watcher.remove_block(pointer); }); \
    }
LANESCOPE_RELEASE(cudaFree, (void* pointer), (pointer))
LANESCOPE_RELEASE(cudaFreeHost, (void* pointer), (pointer))
LANESCOPE_RELEASE(cudaFreeAsync, (void* pointer, cudaStream_t stream), (pointer, stream))
LANESCOPE_RELEASE(cudaFreeAsync_ptsz, (void* pointer, cudaStream_t stream), (pointer, stream))

// --- calls that wait

#define LANESCOPE_WAITING(name, parameters, arguments)        \
    LANESCOPE_WATCHED cudaError_t name parameters {           \
        return waited(#name, LANESCOPE_REAL(name) arguments); \
    }
LANESCOPE_WAITING(cudaDeviceSynchronize, (), ())
LANESCOPE_WAITING(cudaStreamSynchronize, (cudaStream_t stream), (stream))
LANESCOPE_WAITING(cudaStreamSynchronize_ptsz, (cudaStream_t stream), (stream))
LANESCOPE_WAITING(cudaMemcpy, (void* to, const void* from, size_t size, cudaMemcpyKind kind),
                  (to, from, size, kind))
LANESCOPE_WAITING(cudaMemcpy_ptds, (void* to, const void* from, size_t size, cudaMemcpyKind kind),
                  (to, from, size, kind))
LANESCOPE_WAITING(cudaMemcpyToSymbol,
                  (const void* to, const void* from, size_t size, size_t at, cudaMemcpyKind kind),
                  (to, from, size, at, kind))
LANESCOPE_WAITING(cudaMemcpyFromSymbol,
                  (void* to, const void* from, size_t size, size_t at, cudaMemcpyKind kind),
                  (to, from, size, at, kind))
LANESCOPE_WAITING(cudaEventSynchronize, (cudaEvent_t event), (event))

// --- other calls whose errors are told

#define LANESCOPE_OTHER(name, parameters, arguments)         \
    LANESCOPE_WATCHED cudaError_t name parameters {          \
        return noted(#name, LANESCOPE_REAL(name) arguments); \
    }
LANESCOPE_OTHER(cudaSetDevice, (int device), (device))
LANESCOPE_OTHER(cudaMemset, (void* to, int value, size_t size), (to, value, size))
LANESCOPE_OTHER(cudaMemsetAsync, (void* to, int value, size_t size, cudaStream_t stream),
                (to, value, size, stream))
LANESCOPE_OTHER(cudaMemcpyAsync,
                (void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream),
                (to, from, size, kind, stream))
LANESCOPE_OTHER(cudaMemcpyToSymbolAsync,
                (const void* to, const void* from, size_t size, size_t at, cudaMemcpyKind kind,
                 cudaStream_t stream),
                (to, from, size, at, kind, stream))
LANESCOPE_OTHER(cudaFuncSetAttribute, (const void* function, cudaFuncAttribute attribute, int value),
                (function, attribute, value))
LANESCOPE_OTHER(cudaStreamCreate, (cudaStream_t * stream), (stream))
LANESCOPE_OTHER(cudaEventCreate, (cudaEvent_t * event), (event))
LANESCOPE_OTHER(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
LANESCOPE_OTHER(cudaEventElapsedTime, (float* ms, cudaEvent_t begin, cudaEvent_t end), (ms, begin, end))
