// Graphs that are captured from streams.
#include <algorithm>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

cudaError_t begin_capture(Runtime& runtime, cudaStream_t handle, const std::shared_ptr<Graph>& graph,
                          std::vector<Graph::Node*> last) {
    Stream* stream = runtime.stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (handle == nullptr || handle == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
    if (stream->capture != cudaStreamCaptureStatusNone) return cudaErrorIllegalState;
    runtime.begin_capture(*stream, graph, std::move(last));
    return cudaSuccess;
}

cudaGraph_t handle_of_graph(const std::shared_ptr<Graph>& graph) {
    return reinterpret_cast<cudaGraph_t>(graph.get());
}

}  // namespace

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
    return call("cudaStreamBeginCapture", [&](Runtime& runtime, Device&) {
        const auto made = std::make_shared<Graph>();
        const cudaError_t error = begin_capture(runtime, handle, made, {});
        if (error == cudaSuccess) runtime.add_graph(made);
        return error;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                                         const cudaGraphNode_t* nodes,
                                                         const cudaGraphEdgeData*, size_t count,
                                                         cudaStreamCaptureMode) {
    return call("cudaStreamBeginCaptureToGraph", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> known = runtime.graph(graph);
        if (known == nullptr || (nodes == nullptr && count != 0)) return cudaErrorInvalidValue;
        std::vector<Graph::Node*> last;
        for (std::size_t i = 0; i < count; ++i) {
            if (!known->has(node_of(nodes[i]))) return cudaErrorInvalidValue;
            last.push_back(node_of(nodes[i]));
        }
        return begin_capture(runtime, handle, known, std::move(last));
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
    return call("cudaStreamEndCapture", [&](Runtime& runtime, Device& device) {
        const Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (graph == nullptr) return cudaErrorInvalidValue;
        if (stream->capture == cudaStreamCaptureStatusNone) return cudaErrorIllegalState;
        if (!stream->began_capture) return cudaErrorStreamCaptureUnmatched;
        const std::shared_ptr<Graph> made = stream->captured;
        if (runtime.end_capture(*stream)) {
            *graph = handle_of_graph(made);
            return cudaSuccess;
        }
        device.timeline().journal().explain(
            "the work of another stream was captured, but this stream does not wait for its end");
        runtime.destroy_graph(handle_of_graph(made));
        *graph = nullptr;
        return cudaErrorStreamCaptureUnjoined;
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

LANESCOPE_CUDA cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                                    unsigned long long* id, cudaGraph_t* graph,
                                                    const cudaGraphNode_t** nodes,
                                                    const cudaGraphEdgeData** data, size_t* count) {
    return call("cudaStreamGetCaptureInfo", [&](Runtime& runtime, Device&) {
        const Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (status == nullptr) return cudaErrorInvalidValue;
        *status = stream->capture;
        if (stream->capture == cudaStreamCaptureStatusNone) return cudaSuccess;
        if (id != nullptr) *id = stream->captured->capture_id;
        if (graph != nullptr) *graph = handle_of_graph(stream->captured);
        if (nodes != nullptr) *nodes = reinterpret_cast<const cudaGraphNode_t*>(stream->last.data());
        if (data != nullptr) *data = nullptr;
        if (count != nullptr) *count = stream->last.size();
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* nodes,
                                                               const cudaGraphEdgeData*, size_t count,
                                                               unsigned flags) {
    return call("cudaStreamUpdateCaptureDependencies", [&](Runtime& runtime, Device&) {
        Stream* stream = runtime.stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (stream->capture != cudaStreamCaptureStatusActive) return cudaErrorIllegalState;
        if ((nodes == nullptr && count != 0) || flags > cudaStreamSetCaptureDependencies)
            return cudaErrorInvalidValue;
        std::vector<Graph::Node*> last;
        if (flags == cudaStreamAddCaptureDependencies) last = stream->last;
        for (std::size_t i = 0; i < count; ++i) {
            if (!stream->captured->has(node_of(nodes[i]))) return cudaErrorInvalidValue;
            last.push_back(node_of(nodes[i]));
        }
        stream->last = std::move(last);
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
