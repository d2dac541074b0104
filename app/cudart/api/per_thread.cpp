// Functions for code that was compiled with a default stream for each thread: their null stream is the
// thread's. Functions without a stream are those for the legacy default stream, which wait for more than they
// must.
#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

cudaStream_t own(cudaStream_t stream) {
    return stream == nullptr ? cudaStreamPerThread : stream;
}

}  // namespace

}  // namespace lanescope::cudart

#define LANESCOPE_PER_THREAD(FUNCTION, PARAMETERS, ARGUMENTS) \
    LANESCOPE_CUDA cudaError_t FUNCTION##_ptsz PARAMETERS {   \
        return FUNCTION ARGUMENTS;                            \
    }

LANESCOPE_PER_THREAD(cudaGraphUpload, (cudaGraphExec_t instance, cudaStream_t stream),
                     (instance, own(stream)))
LANESCOPE_PER_THREAD(cudaGraphLaunch, (cudaGraphExec_t instance, cudaStream_t stream),
                     (instance, own(stream)))
LANESCOPE_PER_THREAD(cudaStreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode),
                     (own(stream), mode))
LANESCOPE_PER_THREAD(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t* graph), (own(stream), graph))
LANESCOPE_PER_THREAD(cudaStreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus* status),
                     (own(stream), status))
LANESCOPE_PER_THREAD(cudaMemcpyAsync,
                     (void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
                     (to, from, bytes, kind, own(stream)))
LANESCOPE_PER_THREAD(cudaMemcpyToSymbolAsync,
                     (const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                      cudaStream_t stream),
                     (symbol, from, bytes, offset, kind, own(stream)))
LANESCOPE_PER_THREAD(cudaMemcpyFromSymbolAsync,
                     (void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                      cudaStream_t stream),
                     (to, symbol, bytes, offset, kind, own(stream)))
LANESCOPE_PER_THREAD(cudaMemcpy2DAsync,
                     (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind, cudaStream_t stream),
                     (to, to_pitch, from, from_pitch, width, height, kind, own(stream)))
LANESCOPE_PER_THREAD(cudaMemcpy2DToArrayAsync,
                     (cudaArray_t array, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                      size_t height, cudaMemcpyKind kind, cudaStream_t stream),
                     (array, x, y, from, pitch, width, height, kind, own(stream)))
LANESCOPE_PER_THREAD(cudaMemcpy2DFromArrayAsync,
                     (void* to, size_t pitch, cudaArray_const_t array, size_t x, size_t y, size_t width,
                      size_t height, cudaMemcpyKind kind, cudaStream_t stream),
                     (to, pitch, array, x, y, width, height, kind, own(stream)))
LANESCOPE_PER_THREAD(cudaMemcpy3DAsync, (const cudaMemcpy3DParms* box, cudaStream_t stream),
                     (box, own(stream)))
LANESCOPE_PER_THREAD(cudaMemsetAsync, (void* to, int value, size_t bytes, cudaStream_t stream),
                     (to, value, bytes, own(stream)))
LANESCOPE_PER_THREAD(cudaMemset2DAsync,
                     (void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
                     (to, pitch, value, width, height, own(stream)))
LANESCOPE_PER_THREAD(cudaStreamQuery, (cudaStream_t stream), (own(stream)))
LANESCOPE_PER_THREAD(cudaStreamSynchronize, (cudaStream_t stream), (own(stream)))
LANESCOPE_PER_THREAD(cudaStreamGetFlags, (cudaStream_t stream, unsigned* flags), (own(stream), flags))
LANESCOPE_PER_THREAD(cudaStreamGetId, (cudaStream_t stream, unsigned long long* id), (own(stream), id))
LANESCOPE_PER_THREAD(cudaStreamGetPriority, (cudaStream_t stream, int* priority), (own(stream), priority))
LANESCOPE_PER_THREAD(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
                     (own(stream), event, flags))
LANESCOPE_PER_THREAD(cudaStreamAddCallback,
                     (cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags),
                     (own(stream), callback, data, flags))
LANESCOPE_PER_THREAD(cudaStreamAttachMemAsync,
                     (cudaStream_t stream, void* memory, size_t bytes, unsigned flags),
                     (own(stream), memory, bytes, flags))
LANESCOPE_PER_THREAD(cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from), (own(to), own(from)))
LANESCOPE_PER_THREAD(cudaStreamGetAttribute,
                     (cudaStream_t stream, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value),
                     (own(stream), id, value))
LANESCOPE_PER_THREAD(cudaStreamSetAttribute,
                     (cudaStream_t stream, cudaLaunchAttributeID id, const cudaLaunchAttributeValue* value),
                     (own(stream), id, value))
LANESCOPE_PER_THREAD(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, own(stream)))
LANESCOPE_PER_THREAD(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
                     (event, own(stream), flags))
LANESCOPE_PER_THREAD(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void* data),
                     (own(stream), function, data))
LANESCOPE_PER_THREAD(cudaLaunchKernel,
                     (const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                      cudaStream_t stream),
                     (function, grid, block, arguments, shared, own(stream)))
LANESCOPE_PER_THREAD(cudaLaunchCooperativeKernel,
                     (const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                      cudaStream_t stream),
                     (function, grid, block, arguments, shared, own(stream)))
LANESCOPE_PER_THREAD(cudaMallocAsync, (void** pointer, size_t bytes, cudaStream_t stream),
                     (pointer, bytes, own(stream)))
LANESCOPE_PER_THREAD(cudaFreeAsync, (void* pointer, cudaStream_t stream), (pointer, own(stream)))
LANESCOPE_PER_THREAD(cudaMallocFromPoolAsync,
                     (void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
                     (pointer, bytes, pool, own(stream)))

LANESCOPE_CUDA cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* configuration,
                                                    const void* function, void** arguments) {
    if (configuration == nullptr) return cudaLaunchKernelExC(nullptr, function, arguments);
    cudaLaunchConfig_t with_stream = *configuration;
    with_stream.stream = own(configuration->stream);
    return cudaLaunchKernelExC(&with_stream, function, arguments);
}

// What nvcc's code calls for <<<…>>>; a kernel's handle is the host's function.
LANESCOPE_CUDA cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block,
                                                   void** arguments, size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, own(stream));
}
