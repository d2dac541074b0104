// Graphs that a program makes node by node; capture is in streams.cpp.
#include <algorithm>
#include <cstring>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

bool belongs(const Graph& graph, const Graph::Node* node) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [&](const auto& each) { return each.get() == node; });
}

Graph::Node* node_of(cudaGraphNode_t handle) {
    return reinterpret_cast<Graph::Node*>(handle);
}

cudaGraphNode_t handle_of(const Graph::Node* node) {
    return reinterpret_cast<cudaGraphNode_t>(const_cast<Graph::Node*>(node));
}

cudaError_t add_node(Runtime& runtime, cudaGraphNode_t* made, cudaGraph_t handle,
                     const cudaGraphNode_t* before, std::size_t count, cudaGraphNodeType type, Work work) {
    Graph* graph = runtime.graph(handle);
    if (made == nullptr || graph == nullptr || (before == nullptr && count != 0))
        return cudaErrorInvalidValue;
    auto node = std::make_shared<Graph::Node>(Graph::Node{type, std::move(work), {}, nullptr});
    for (std::size_t i = 0; i < count; ++i) {
        if (!belongs(*graph, node_of(before[i]))) return cudaErrorInvalidValue;
        node->before.push_back(node_of(before[i]));
    }
    *made = handle_of(node.get());
    graph->nodes.push_back(std::move(node));
    return cudaSuccess;
}

cudaError_t fill_elements(Device& device, const cudaMemsetParams& fill) {
    std::vector<std::byte> row(fill.width * fill.elementSize);
    for (std::size_t i = 0; i < row.size(); i += fill.elementSize)
        std::memcpy(row.data() + i, &fill.value, fill.elementSize);
    const bool uniform = std::all_of(row.begin(), row.end(), [&](std::byte each) { return each == row[0]; });
    if (uniform && !row.empty())
        return fill_rows(device, fill.dst, fill.pitch, static_cast<int>(row[0]), row.size(), fill.height);
    for (std::size_t y = 0; y < fill.height; ++y)
        if (const cudaError_t error = copy_bytes(device, static_cast<char*>(fill.dst) + y * fill.pitch,
                                                 row.data(), row.size(), cudaMemcpyHostToDevice);
            error != cudaSuccess)
            return error;
    return cudaSuccess;
}

}  // namespace

// Kahn's order: of the nodes that can run, the one that was added first.
bool Graph::in_order(Graph& ordered) const {
    std::vector<std::shared_ptr<Node>> left = nodes;
    while (!left.empty()) {
        const auto next = std::find_if(left.begin(), left.end(), [&](const auto& each) {
            return std::all_of(each->before.begin(), each->before.end(),
                               [&](const Node* before) { return belongs(ordered, before); });
        });
        if (next == left.end()) return false;
        ordered.nodes.push_back(*next);
        left.erase(next);
    }
    return true;
}

cudaError_t Graph::run(Device& device) const {
    for (const auto& node : nodes)
        if (const cudaError_t error = node->work(device); error != cudaSuccess) return error;
    return cudaSuccess;
}

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    return call("cudaGraphCreate", [&](Runtime& runtime, Device&) {
        if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
        *graph = runtime.add_graph(std::make_shared<Graph>());
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* before, size_t count,
                                                  const cudaKernelNodeParams* kernel) {
    return call("cudaGraphAddKernelNode", [&](Runtime& runtime, Device& device) {
        if (kernel == nullptr) return cudaErrorInvalidValue;
        if (kernel->extra != nullptr) {
            device.timeline().journal().explain("arguments in one buffer (extra) are not supported");
            return cudaErrorNotSupported;
        }
        Work work;
        const cudaError_t error =
            kernel_work(runtime, device, kernel->func, kernel->gridDim, kernel->blockDim,
                        kernel->kernelParams, kernel->sharedMemBytes, work);
        if (error != cudaSuccess) return error;
        return add_node(runtime, node, graph, before, count, cudaGraphNodeTypeKernel, std::move(work));
    });
}

// Instances share the nodes of their graph: the changed one gets a node of its own, which knows whose place
// it has.
LANESCOPE_CUDA cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                            const cudaKernelNodeParams* kernel) {
    return call("cudaGraphExecKernelNodeSetParams", [&](Runtime& runtime, Device& device) {
        Graph* instance = runtime.instance(handle);
        if (kernel == nullptr || instance == nullptr) return cudaErrorInvalidValue;
        if (kernel->extra != nullptr) {
            device.timeline().journal().explain("arguments in one buffer (extra) are not supported");
            return cudaErrorNotSupported;
        }
        const auto place = std::find_if(
            instance->nodes.begin(), instance->nodes.end(),
            [&](const auto& each) { return each.get() == node_of(node) || each->original == node_of(node); });
        if (place == instance->nodes.end() || (*place)->type != cudaGraphNodeTypeKernel)
            return cudaErrorInvalidValue;
        Work work;
        const cudaError_t error =
            kernel_work(runtime, device, kernel->func, kernel->gridDim, kernel->blockDim,
                        kernel->kernelParams, kernel->sharedMemBytes, work);
        if (error != cudaSuccess) return error;
        *place = std::make_shared<Graph::Node>(
            Graph::Node{cudaGraphNodeTypeKernel, std::move(work), (*place)->before, node_of(node)});
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* before, size_t count,
                                                  const cudaMemcpy3DParms* box) {
    return call("cudaGraphAddMemcpyNode", [&](Runtime& runtime, Device&) {
        if (box == nullptr) return cudaErrorInvalidValue;
        return add_node(runtime, node, graph, before, count, cudaGraphNodeTypeMemcpy,
                        [copy = *box](Device& device) { return copy_box(device, copy); });
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* before, size_t count, void* to,
                                                    const void* from, size_t bytes, cudaMemcpyKind kind) {
    return call("cudaGraphAddMemcpyNode1D", [&](Runtime& runtime, Device&) {
        return add_node(runtime, node, graph, before, count, cudaGraphNodeTypeMemcpy,
                        [=](Device& device) { return copy_bytes(device, to, from, bytes, kind); });
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* before, size_t count,
                                                  const cudaMemsetParams* fill) {
    return call("cudaGraphAddMemsetNode", [&](Runtime& runtime, Device&) {
        if (fill == nullptr || (fill->elementSize != 1 && fill->elementSize != 2 && fill->elementSize != 4) ||
            (fill->height > 1 && fill->width * fill->elementSize > fill->pitch))
            return cudaErrorInvalidValue;
        return add_node(runtime, node, graph, before, count, cudaGraphNodeTypeMemset,
                        [what = *fill](Device& device) { return fill_elements(device, what); });
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* before, size_t count,
                                                const cudaHostNodeParams* host) {
    return call("cudaGraphAddHostNode", [&](Runtime& runtime, Device&) {
        if (host == nullptr || host->fn == nullptr) return cudaErrorInvalidValue;
        return add_node(runtime, node, graph, before, count, cudaGraphNodeTypeHost,
                        [called = *host](Device& device) {
                            device.timeline().host_function(device.timeline().stream());
                            called.fn(called.userData);
                            return cudaSuccess;
                        });
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* before, size_t count) {
    return call("cudaGraphAddEmptyNode", [&](Runtime& runtime, Device&) {
        return add_node(runtime, node, graph, before, count, cudaGraphNodeTypeEmpty,
                        [](Device&) { return cudaSuccess; });
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                      const cudaGraphNode_t* before, size_t count,
                                                      cudaGraph_t child) {
    return call("cudaGraphAddChildGraphNode", [&](Runtime& runtime, Device&) {
        const Graph* known = runtime.graph(child);
        Graph ordered;
        if (known == nullptr || !known->in_order(ordered)) return cudaErrorInvalidValue;
        return add_node(runtime, node, graph, before, count, cudaGraphNodeTypeGraph,
                        [ordered](Device& device) { return ordered.run(device); });
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                                    const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                                    size_t count) {
    return call("cudaGraphAddDependencies", [&](Runtime& runtime, Device&) {
        Graph* graph = runtime.graph(handle);
        if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
            return cudaErrorInvalidValue;
        for (std::size_t i = 0; i < count; ++i)
            if (!belongs(*graph, node_of(from[i])) || !belongs(*graph, node_of(to[i])) || from[i] == to[i])
                return cudaErrorInvalidValue;
        for (std::size_t i = 0; i < count; ++i)
            node_of(to[i])->before.push_back(node_of(from[i]));
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
    return call("cudaGraphClone", [&](Runtime& runtime, Device&) {
        const Graph* known = runtime.graph(original);
        if (clone == nullptr || known == nullptr) return cudaErrorInvalidValue;
        auto made = std::make_shared<Graph>();
        for (const auto& node : known->nodes) {
            made->nodes.push_back(std::make_shared<Graph::Node>(*node));
            made->nodes.back()->original = node.get();
        }
        for (const auto& node : made->nodes)
            for (Graph::Node*& before : node->before)
                before = made->copy_of(before);
        *clone = runtime.add_graph(made);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original,
                                                    cudaGraph_t clone) {
    return call("cudaGraphNodeFindInClone", [&](Runtime& runtime, Device&) {
        const Graph* known = runtime.graph(clone);
        const Graph::Node* node = known == nullptr ? nullptr : known->copy_of(node_of(original));
        if (found == nullptr || node == nullptr) return cudaErrorInvalidValue;
        *found = handle_of(node);
        return cudaSuccess;
    });
}
