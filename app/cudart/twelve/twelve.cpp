// The functions of CUDA 12's runtime whose parameters or structures CUDA 13 changed. lanescope13_NAME is what
// the library of CUDA 13 has as NAME; of those of CUDA 12, lanescope12_NAME is called NAME.
#include "cudart/twelve/properties.h"

#define LANESCOPE_CUDA extern "C" __attribute__((visibility("default")))

using lanescope::cudart::Properties12;

extern "C" {
cudaError_t lanescope13_cudaGetDeviceProperties(cudaDeviceProp* made, int device);
cudaError_t lanescope13_cudaDriverGetVersion(int* number);
cudaError_t lanescope13_cudaRuntimeGetVersion(int* number);
cudaError_t lanescope13_cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                      cudaMemLocation location);
cudaError_t lanescope13_cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                             unsigned flags, cudaStream_t stream);
cudaError_t lanescope13_cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                 const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                                 size_t count);
cudaError_t lanescope13_cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                    const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                                    size_t count);
cudaError_t lanescope13_cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* before, const cudaGraphEdgeData* data,
                                         size_t count, cudaGraphNodeParams* parameters);
cudaError_t lanescope13_cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                          cudaGraphEdgeData* data, size_t* count);
cudaError_t lanescope13_cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from);
cudaError_t lanescope13_cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* others,
                                                     cudaGraphEdgeData* data, size_t* count);
cudaError_t lanescope13_cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* others,
                                                       cudaGraphEdgeData* data, size_t* count);
cudaError_t lanescope13_cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                            const cudaGraphEdgeData* data, size_t count,
                                                            unsigned flags);
cudaError_t lanescope13_cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                 unsigned long long* id, cudaGraph_t* graph,
                                                 const cudaGraphNode_t** nodes,
                                                 const cudaGraphEdgeData** data, size_t* count);
}

namespace {

constexpr int version = 12090;

cudaMemLocation location_of(int device) {
    cudaMemLocation made{};
    made.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    made.id = device == cudaCpuDeviceId ? 0 : device;
    return made;
}

}  // namespace

// --- devices

LANESCOPE_CUDA cudaError_t cudaGetDeviceProperties_v2(Properties12* made, int device) {
    cudaDeviceProp now{};
    const cudaError_t error = lanescope13_cudaGetDeviceProperties(made == nullptr ? nullptr : &now, device);
    if (error == cudaSuccess) *made = lanescope::cudart::to_properties12(now);
    return error;
}

LANESCOPE_CUDA cudaError_t cudaGetDeviceProperties(cudaDeviceProp* made, int device) {
    Properties12 whole{};
    const cudaError_t error = cudaGetDeviceProperties_v2(made == nullptr ? nullptr : &whole, device);
    if (error == cudaSuccess)
        std::memcpy(static_cast<void*>(made), &whole, lanescope::cudart::properties11_bytes);
    return error;
}

LANESCOPE_CUDA cudaError_t cudaRuntimeGetVersion(int* number) {
    const cudaError_t error = lanescope13_cudaRuntimeGetVersion(number);
    if (error == cudaSuccess) *number = version;
    return error;
}

LANESCOPE_CUDA cudaError_t cudaDriverGetVersion(int* number) {
    const cudaError_t error = lanescope13_cudaDriverGetVersion(number);
    if (error == cudaSuccess) *number = version;
    return error;
}

LANESCOPE_CUDA cudaError_t cudaEventElapsedTime_v2(float* ms, cudaEvent_t begin, cudaEvent_t end) {
    return cudaEventElapsedTime(ms, begin, end);
}

// --- managed memory

LANESCOPE_CUDA cudaError_t lanescope12_cudaMemAdvise(const void* pointer, size_t bytes,
                                                     cudaMemoryAdvise advice,
                                                     int device) __asm__("cudaMemAdvise");
cudaError_t lanescope12_cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                      int device) {
    return lanescope13_cudaMemAdvise(pointer, bytes, advice, location_of(device));
}

LANESCOPE_CUDA cudaError_t cudaMemAdvise_v2(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                            cudaMemLocation location) {
    return lanescope13_cudaMemAdvise(pointer, bytes, advice, location);
}

LANESCOPE_CUDA cudaError_t lanescope12_cudaMemPrefetchAsync(
    const void* pointer, size_t bytes, int device, cudaStream_t stream) __asm__("cudaMemPrefetchAsync");
cudaError_t lanescope12_cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                             cudaStream_t stream) {
    return lanescope13_cudaMemPrefetchAsync(pointer, bytes, location_of(device), 0, stream);
}

LANESCOPE_CUDA cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes,
                                                   cudaMemLocation location, unsigned flags,
                                                   cudaStream_t stream) {
    return lanescope13_cudaMemPrefetchAsync(pointer, bytes, location, flags, stream);
}

// --- graphs

LANESCOPE_CUDA cudaError_t lanescope12_cudaGraphAddDependencies(
    cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
    size_t count) __asm__("cudaGraphAddDependencies");
cudaError_t lanescope12_cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                 const cudaGraphNode_t* to, size_t count) {
    return lanescope13_cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

LANESCOPE_CUDA cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                       const cudaGraphNode_t* to,
                                                       const cudaGraphEdgeData* data, size_t count) {
    return lanescope13_cudaGraphAddDependencies(graph, from, to, data, count);
}

LANESCOPE_CUDA cudaError_t lanescope12_cudaGraphRemoveDependencies(
    cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
    size_t count) __asm__("cudaGraphRemoveDependencies");
cudaError_t lanescope12_cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                    const cudaGraphNode_t* to, size_t count) {
    return lanescope13_cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}

LANESCOPE_CUDA cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                          const cudaGraphNode_t* to,
                                                          const cudaGraphEdgeData* data, size_t count) {
    return lanescope13_cudaGraphRemoveDependencies(graph, from, to, data, count);
}

LANESCOPE_CUDA cudaError_t
lanescope12_cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                             size_t count, cudaGraphNodeParams* parameters) __asm__("cudaGraphAddNode");
cudaError_t lanescope12_cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* before, size_t count,
                                         cudaGraphNodeParams* parameters) {
    return lanescope13_cudaGraphAddNode(node, graph, before, nullptr, count, parameters);
}

LANESCOPE_CUDA cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* before, const cudaGraphEdgeData* data,
                                               size_t count, cudaGraphNodeParams* parameters) {
    return lanescope13_cudaGraphAddNode(node, graph, before, data, count, parameters);
}

LANESCOPE_CUDA cudaError_t lanescope12_cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                                         cudaGraphNode_t* to,
                                                         size_t* count) __asm__("cudaGraphGetEdges");
cudaError_t lanescope12_cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                          size_t* count) {
    return lanescope13_cudaGraphGetEdges(graph, from, to, nullptr, count);
}

LANESCOPE_CUDA cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                                cudaGraphEdgeData* data, size_t* count) {
    return lanescope13_cudaGraphGetEdges(graph, from, to, data, count);
}

LANESCOPE_CUDA cudaError_t lanescope12_cudaGraphKernelNodeCopyAttributes(
    cudaGraphNode_t from, cudaGraphNode_t to) __asm__("cudaGraphKernelNodeCopyAttributes");
cudaError_t lanescope12_cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t from, cudaGraphNode_t to) {
    return lanescope13_cudaGraphKernelNodeCopyAttributes(to, from);
}

LANESCOPE_CUDA cudaError_t lanescope12_cudaGraphNodeGetDependencies(
    cudaGraphNode_t node, cudaGraphNode_t* others, size_t* count) __asm__("cudaGraphNodeGetDependencies");
cudaError_t lanescope12_cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* others,
                                                     size_t* count) {
    return lanescope13_cudaGraphNodeGetDependencies(node, others, nullptr, count);
}

LANESCOPE_CUDA cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* others,
                                                           cudaGraphEdgeData* data, size_t* count) {
    return lanescope13_cudaGraphNodeGetDependencies(node, others, data, count);
}

LANESCOPE_CUDA cudaError_t lanescope12_cudaGraphNodeGetDependentNodes(
    cudaGraphNode_t node, cudaGraphNode_t* others, size_t* count) __asm__("cudaGraphNodeGetDependentNodes");
cudaError_t lanescope12_cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* others,
                                                       size_t* count) {
    return lanescope13_cudaGraphNodeGetDependentNodes(node, others, nullptr, count);
}

LANESCOPE_CUDA cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* others,
                                                             cudaGraphEdgeData* data, size_t* count) {
    return lanescope13_cudaGraphNodeGetDependentNodes(node, others, data, count);
}

LANESCOPE_CUDA cudaError_t lanescope12_cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t* nodes, size_t count,
    unsigned flags) __asm__("cudaStreamUpdateCaptureDependencies");
cudaError_t lanescope12_cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                            size_t count, unsigned flags) {
    return lanescope13_cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}

LANESCOPE_CUDA cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                                  const cudaGraphEdgeData* data, size_t count,
                                                                  unsigned flags) {
    return lanescope13_cudaStreamUpdateCaptureDependencies(stream, nodes, data, count, flags);
}

LANESCOPE_CUDA cudaError_t
lanescope12_cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id) __asm__("cudaStreamGetCaptureInfo");
cudaError_t lanescope12_cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                 unsigned long long* id) {
    return lanescope13_cudaStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}

LANESCOPE_CUDA cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                       unsigned long long* id, cudaGraph_t* graph,
                                                       const cudaGraphNode_t** nodes, size_t* count) {
    return lanescope13_cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, nullptr, count);
}

LANESCOPE_CUDA cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                       unsigned long long* id, cudaGraph_t* graph,
                                                       const cudaGraphNode_t** nodes,
                                                       const cudaGraphEdgeData** data, size_t* count) {
    return lanescope13_cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, data, count);
}
