// Graphs that a program makes node by node, and what it asks of them; capture.cpp captures,
// graph_instances.cpp runs them.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

// Whether a node frees this memory already.
bool frees(const Graph& graph, const Task& task) {
    return std::any_of(graph.nodes().begin(), graph.nodes().end(), [&](const auto& node) {
        return node->task.type == task.type && node->task.parameters.index() == task.parameters.index() &&
               *std::get_if<void*>(&node->task.parameters) == *std::get_if<void*>(&task.parameters);
    });
}

bool has_memory_nodes(const Graph& graph) {
    return std::any_of(graph.nodes().begin(), graph.nodes().end(), [](const auto& node) {
        return node->task.type == cudaGraphNodeTypeMemAlloc || node->task.type == cudaGraphNodeTypeMemFree;
    });
}

cudaError_t add_node(Runtime& runtime, cudaGraphNode_t* made, cudaGraph_t handle,
                     const cudaGraphNode_t* before, std::size_t count, Task task) {
    const std::shared_ptr<Graph> graph = runtime.graph(handle);
    if (made == nullptr || graph == nullptr || (before == nullptr && count != 0))
        return cudaErrorInvalidValue;
    std::vector<Graph::Node*> awaited;
    for (std::size_t i = 0; i < count; ++i) {
        Graph::Node* const node = node_of(before[i]);
        if (!graph->has(node) || std::find(awaited.begin(), awaited.end(), node) != awaited.end())
            return cudaErrorInvalidValue;
        awaited.push_back(node);
    }
    if (task.type == cudaGraphNodeTypeMemFree && frees(*graph, task)) return cudaErrorInvalidValue;
    *made = handle_of(graph->add(std::move(task), std::move(awaited)));
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

// The node of a graph of the program, not of an instance; null: the handle is not one.
Graph::Node* known_node(Runtime& runtime, cudaGraphNode_t handle) {
    return runtime.graph_with(node_of(handle)) == nullptr ? nullptr : node_of(handle);
}

// Copies what was given to a node that has parameters of this type.
template <class Given>
cudaError_t get_parameters(Runtime& runtime, cudaGraphNode_t handle, cudaGraphNodeType type, Given* given) {
    const Graph::Node* node = known_node(runtime, handle);
    if (node == nullptr || given == nullptr || node->task.type != type) return cudaErrorInvalidValue;
    const Given* kept = std::get_if<Given>(&node->task.parameters);
    if (kept == nullptr) {
        runtime.journal().explain("the parameters of this captured node are not known");
        return cudaErrorNotSupported;
    }
    *given = *kept;
    return cudaSuccess;
}

cudaError_t set_task(Runtime& runtime, cudaGraphNode_t handle, cudaError_t described, Task task) {
    Graph::Node* node = known_node(runtime, handle);
    if (node == nullptr) return cudaErrorInvalidValue;
    if (described != cudaSuccess) return described;
    if (node->task.type != task.type) return cudaErrorInvalidValue;
    node->task = std::move(task);
    return cudaSuccess;
}

// Writes up to *count handles and zeroes beyond; without a place, how many there are.
cudaError_t list(const std::vector<const Graph::Node*>& nodes, cudaGraphNode_t* place, std::size_t* count) {
    if (count == nullptr) return cudaErrorInvalidValue;
    if (place != nullptr)
        for (std::size_t i = 0; i < *count; ++i)
            place[i] = i < nodes.size() ? handle_of(nodes[i]) : nullptr;
    *count = place == nullptr ? nodes.size() : std::min(*count, nodes.size());
    return cudaSuccess;
}

bool is_plain(const cudaGraphEdgeData* data, std::size_t count) {
    return data == nullptr || std::all_of(data, data + count, [](const cudaGraphEdgeData& each) {
               constexpr cudaGraphEdgeData plain{};
               return std::memcmp(&each, &plain, sizeof plain) == 0;
           });
}

// An edge of data that a program gives must be an ordinary one: nothing runs at the same time here.
cudaError_t check_edges(Runtime& runtime, const cudaGraphEdgeData* data, std::size_t count) {
    if (is_plain(data, count)) return cudaSuccess;
    for (std::size_t i = 0; i < count; ++i)
        for (const unsigned char each : data[i].reserved)
            if (each != 0) return cudaErrorInvalidValue;
    runtime.journal().explain("edges for programmatic launches are not supported");
    return cudaErrorNotSupported;
}

cudaError_t describe_event(Runtime& runtime, cudaGraphNodeType type, cudaEvent_t handle, Task& task) {
    if (runtime.event(handle) == nullptr) return cudaErrorInvalidValue;
    task = {type,
            [&runtime, handle, type](Device& device) {
                Event* event = runtime.event(handle);
                if (event == nullptr) return cudaErrorInvalidResourceHandle;
                if (type == cudaGraphNodeTypeEventRecord)
                    record_now(device, *event, device.timeline().stream());
                else
                    device.timeline().wait_for_event(event->number, device.timeline().stream());
                return cudaSuccess;
            },
            handle};
    return cudaSuccess;
}

template <class Allocation>
cudaError_t describe_memory(Runtime& runtime, Device& device, Allocation& wanted, Task& task) {
    if (wanted.poolProps.allocType != cudaMemAllocationTypePinned || wanted.bytesize == 0 ||
        wanted.poolProps.location.type != cudaMemLocationTypeDevice || wanted.poolProps.location.id != 0)
        return cudaErrorInvalidValue;
    const cudaError_t error = describe_allocation(runtime, device, &wanted.dptr, wanted.bytesize, task);
    if (error != cudaSuccess) return error;
    task.parameters = cudaMemAllocNodeParams{wanted.poolProps, wanted.accessDescs, wanted.accessDescCount,
                                             wanted.bytesize, wanted.dptr};
    return cudaSuccess;
}

Task empty_task() {
    return {cudaGraphNodeTypeEmpty, [](Device&) { return cudaSuccess; }};
}

}  // namespace

cudaError_t describe_copy(const cudaMemcpy3DParms* box, Task& task) {
    if (box == nullptr) return cudaErrorInvalidValue;
    task = {cudaGraphNodeTypeMemcpy, [copy = *box](Device& device) { return copy_box(device, copy); }, *box};
    return cudaSuccess;
}

cudaError_t describe_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Task& task) {
    task = {cudaGraphNodeTypeMemcpy,
            [=](Device& device) { return copy_bytes(device, to, from, bytes, kind); },
            box_of(to, from, bytes, kind)};
    return cudaSuccess;
}

cudaError_t describe_fill(const cudaMemsetParams* fill, Task& task) {
    if (fill == nullptr || (fill->elementSize != 1 && fill->elementSize != 2 && fill->elementSize != 4) ||
        (fill->height > 1 && fill->width * fill->elementSize > fill->pitch))
        return cudaErrorInvalidValue;
    task = {cudaGraphNodeTypeMemset, [what = *fill](Device& device) { return fill_elements(device, what); },
            *fill};
    return cudaSuccess;
}

cudaError_t describe_host(const cudaHostNodeParams* host, Task& task) {
    if (host == nullptr || host->fn == nullptr) return cudaErrorInvalidValue;
    task = {cudaGraphNodeTypeHost,
            [called = *host](Device& device) {
                device.timeline().host_function(device.timeline().stream());
                called.fn(called.userData);
                return cudaSuccess;
            },
            *host};
    return cudaSuccess;
}

cudaError_t describe_child(Runtime& runtime, cudaGraph_t child, Task& task) {
    const std::shared_ptr<Graph> known = runtime.graph(child);
    if (known == nullptr) return cudaErrorInvalidValue;
    task = {cudaGraphNodeTypeGraph, {}, {}, known->clone()};
    return known->clone()->sort() ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t describe_node(Runtime& runtime, Device& device, cudaGraphNodeParams* given, Task& task) {
    if (given == nullptr || given->reserved2 != 0) return cudaErrorInvalidValue;
    switch (given->type) {
        case cudaGraphNodeTypeKernel: {
            const cudaKernelNodeParamsV2& v2 = given->kernel;
            const cudaKernelNodeParams kernel{v2.func,           v2.gridDim,      v2.blockDim,
                                              v2.sharedMemBytes, v2.kernelParams, v2.extra};
            return describe_kernel(runtime, device, &kernel, task);
        }
        case cudaGraphNodeTypeMemcpy:
            return describe_copy(&given->memcpy.copyParams, task);
        case cudaGraphNodeTypeMemset: {
            const cudaMemsetParamsV2& v2 = given->memset;
            const cudaMemsetParams fill{v2.dst, v2.pitch, v2.value, v2.elementSize, v2.width, v2.height};
            return describe_fill(&fill, task);
        }
        case cudaGraphNodeTypeHost: {
            const cudaHostNodeParams host{given->host.fn, given->host.userData};
            return describe_host(&host, task);
        }
        case cudaGraphNodeTypeGraph:
            return describe_child(runtime, given->graph.graph, task);
        case cudaGraphNodeTypeEmpty:
            task = empty_task();
            return cudaSuccess;
        case cudaGraphNodeTypeWaitEvent:
            return describe_event(runtime, given->type, given->eventWait.event, task);
        case cudaGraphNodeTypeEventRecord:
            return describe_event(runtime, given->type, given->eventRecord.event, task);
        case cudaGraphNodeTypeMemAlloc:
            return describe_memory(runtime, device, given->alloc, task);
        case cudaGraphNodeTypeMemFree:
            return describe_release(device, given->free.dptr, task);
        case cudaGraphNodeTypeConditional:
            runtime.journal().explain("conditional nodes are not supported");
            return cudaErrorNotSupported;
        case cudaGraphNodeTypeExtSemaphoreSignal:
        case cudaGraphNodeTypeExtSemaphoreWait:
            runtime.journal().explain("external semaphores are not supported");
            return cudaErrorNotSupported;
        default:
            return cudaErrorInvalidValue;
    }
}

cudaError_t describe_record(Runtime& runtime, cudaEvent_t event, Task& task) {
    return describe_event(runtime, cudaGraphNodeTypeEventRecord, event, task);
}

cudaError_t describe_wait(Runtime& runtime, cudaEvent_t event, Task& task) {
    return describe_event(runtime, cudaGraphNodeTypeWaitEvent, event, task);
}

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    return call("cudaGraphCreate", [&](Runtime& runtime, Device&) {
        if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
        *graph = runtime.add_graph(std::make_shared<Graph>());
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return call("cudaGraphDestroy", [&](Runtime& runtime, Device&) {
        return runtime.destroy_graph(graph) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

// --- nodes: added, read, changed. DESCRIBED is the call that describes the task.

#define LANESCOPE_ADD(FUNCTION, ARGUMENTS, ...)                                                           \
    LANESCOPE_CUDA cudaError_t FUNCTION(cudaGraphNode_t* node, cudaGraph_t graph,                         \
                                        const cudaGraphNode_t* before, size_t count,                      \
                                        LANESCOPE_LIST ARGUMENTS) {                                       \
        return call(#FUNCTION, [&]([[maybe_unused]] Runtime& runtime, [[maybe_unused]] Device& device) {  \
            Task task;                                                                                    \
            const cudaError_t error = __VA_ARGS__;                                                        \
            return error != cudaSuccess ? error                                                           \
                                        : add_node(runtime, node, graph, before, count, std::move(task)); \
        });                                                                                               \
    }
#define LANESCOPE_SET(FUNCTION, ARGUMENTS, ...)                                                          \
    LANESCOPE_CUDA cudaError_t FUNCTION(cudaGraphNode_t node, LANESCOPE_LIST ARGUMENTS) {                \
        return call(#FUNCTION, [&]([[maybe_unused]] Runtime& runtime, [[maybe_unused]] Device& device) { \
            Task task;                                                                                   \
            const cudaError_t error = __VA_ARGS__;                                                       \
            return set_task(runtime, node, error, std::move(task));                                      \
        });                                                                                              \
    }
#define LANESCOPE_LIST(...) __VA_ARGS__

LANESCOPE_ADD(cudaGraphAddKernelNode, (const cudaKernelNodeParams* kernel),
              describe_kernel(runtime, device, kernel, task))
LANESCOPE_ADD(cudaGraphAddMemcpyNode, (const cudaMemcpy3DParms* box), describe_copy(box, task))
LANESCOPE_ADD(cudaGraphAddMemcpyNode1D, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind),
              describe_bytes(to, from, bytes, kind, task))
LANESCOPE_ADD(cudaGraphAddMemcpyNodeToSymbol,
              (const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind),
              describe_to_symbol(runtime, device, {symbol, offset}, from, bytes, kind, task))
LANESCOPE_ADD(cudaGraphAddMemcpyNodeFromSymbol,
              (void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind),
              describe_from_symbol(runtime, device, to, {symbol, offset}, bytes, kind, task))
LANESCOPE_ADD(cudaGraphAddMemsetNode, (const cudaMemsetParams* fill), describe_fill(fill, task))
LANESCOPE_ADD(cudaGraphAddHostNode, (const cudaHostNodeParams* host), describe_host(host, task))
LANESCOPE_ADD(cudaGraphAddChildGraphNode, (cudaGraph_t child), describe_child(runtime, child, task))
LANESCOPE_ADD(cudaGraphAddEventRecordNode, (cudaEvent_t event), describe_record(runtime, event, task))
LANESCOPE_ADD(cudaGraphAddEventWaitNode, (cudaEvent_t event), describe_wait(runtime, event, task))
LANESCOPE_ADD(cudaGraphAddMemAllocNode, (cudaMemAllocNodeParams * wanted),
              wanted == nullptr ? cudaErrorInvalidValue : describe_memory(runtime, device, *wanted, task))
LANESCOPE_ADD(cudaGraphAddMemFreeNode, (void* pointer), describe_release(device, pointer, task))

LANESCOPE_SET(cudaGraphKernelNodeSetParams, (const cudaKernelNodeParams* kernel),
              describe_kernel(runtime, device, kernel, task))
LANESCOPE_SET(cudaGraphMemcpyNodeSetParams, (const cudaMemcpy3DParms* box), describe_copy(box, task))
LANESCOPE_SET(cudaGraphMemcpyNodeSetParams1D, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind),
              describe_bytes(to, from, bytes, kind, task))
LANESCOPE_SET(cudaGraphMemcpyNodeSetParamsToSymbol,
              (const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind),
              describe_to_symbol(runtime, device, {symbol, offset}, from, bytes, kind, task))
LANESCOPE_SET(cudaGraphMemcpyNodeSetParamsFromSymbol,
              (void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind),
              describe_from_symbol(runtime, device, to, {symbol, offset}, bytes, kind, task))
LANESCOPE_SET(cudaGraphMemsetNodeSetParams, (const cudaMemsetParams* fill), describe_fill(fill, task))
LANESCOPE_SET(cudaGraphHostNodeSetParams, (const cudaHostNodeParams* host), describe_host(host, task))
LANESCOPE_SET(cudaGraphEventRecordNodeSetEvent, (cudaEvent_t event), describe_record(runtime, event, task))
LANESCOPE_SET(cudaGraphEventWaitNodeSetEvent, (cudaEvent_t event), describe_wait(runtime, event, task))
LANESCOPE_SET(cudaGraphNodeSetParams, (cudaGraphNodeParams * given),
              describe_node(runtime, device, given, task))

LANESCOPE_CUDA cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* before, size_t count) {
    return call("cudaGraphAddEmptyNode", [&](Runtime& runtime, Device&) {
        return add_node(runtime, node, graph, before, count, empty_task());
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* before, const cudaGraphEdgeData* data,
                                            size_t count, cudaGraphNodeParams* given) {
    return call("cudaGraphAddNode", [&](Runtime& runtime, Device& device) {
        Task task;
        cudaError_t error = describe_node(runtime, device, given, task);
        if (error == cudaSuccess) error = check_edges(runtime, data, count);
        return error != cudaSuccess ? error : add_node(runtime, node, graph, before, count, std::move(task));
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle,
                                                        cudaKernelNodeParams* kernel) {
    return call("cudaGraphKernelNodeGetParams", [&](Runtime& runtime, Device&) {
        std::shared_ptr<KernelParameters> kept;
        const cudaError_t error = get_parameters(runtime, handle, cudaGraphNodeTypeKernel, &kept);
        if (error != cudaSuccess || kernel == nullptr)
            return error != cudaSuccess ? error : cudaErrorInvalidValue;
        *kernel = kept->given;
        kernel->kernelParams = kept->pointers.data();
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle, cudaMemcpy3DParms* box) {
    return call("cudaGraphMemcpyNodeGetParams", [&](Runtime& runtime, Device&) {
        return get_parameters(runtime, handle, cudaGraphNodeTypeMemcpy, box);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, cudaMemsetParams* fill) {
    return call("cudaGraphMemsetNodeGetParams", [&](Runtime& runtime, Device&) {
        return get_parameters(runtime, handle, cudaGraphNodeTypeMemset, fill);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t handle, cudaHostNodeParams* host) {
    return call("cudaGraphHostNodeGetParams", [&](Runtime& runtime, Device&) {
        return get_parameters(runtime, handle, cudaGraphNodeTypeHost, host);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t* event) {
    return call("cudaGraphEventRecordNodeGetEvent", [&](Runtime& runtime, Device&) {
        return get_parameters(runtime, handle, cudaGraphNodeTypeEventRecord, event);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t handle, cudaEvent_t* event) {
    return call("cudaGraphEventWaitNodeGetEvent", [&](Runtime& runtime, Device&) {
        return get_parameters(runtime, handle, cudaGraphNodeTypeWaitEvent, event);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle,
                                                          cudaMemAllocNodeParams* wanted) {
    return call("cudaGraphMemAllocNodeGetParams", [&](Runtime& runtime, Device&) {
        return get_parameters(runtime, handle, cudaGraphNodeTypeMemAlloc, wanted);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void* pointer) {
    return call("cudaGraphMemFreeNodeGetParams", [&](Runtime& runtime, Device&) {
        return get_parameters(runtime, handle, cudaGraphNodeTypeMemFree, static_cast<void**>(pointer));
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* graph) {
    return call("cudaGraphChildGraphNodeGetGraph", [&](Runtime& runtime, Device&) {
        const Graph::Node* node = known_node(runtime, handle);
        if (node == nullptr || graph == nullptr || node->task.child == nullptr) return cudaErrorInvalidValue;
        *graph = runtime.lend_graph(node->task.child);
        return cudaSuccess;
    });
}

// --- the graph as a whole

LANESCOPE_CUDA cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
    return call("cudaGraphNodeGetType", [&](Runtime& runtime, Device&) {
        const Graph::Node* node = known_node(runtime, handle);
        if (node == nullptr || type == nullptr) return cudaErrorInvalidValue;
        *type = node->task.type;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
    return call("cudaGraphGetNodes", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> graph = runtime.graph(handle);
        if (graph == nullptr) return cudaErrorInvalidValue;
        std::vector<const Graph::Node*> all;
        for (const auto& node : graph->nodes())
            all.push_back(node.get());
        return list(all, nodes, count);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
    return call("cudaGraphGetRootNodes", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> graph = runtime.graph(handle);
        if (graph == nullptr) return cudaErrorInvalidValue;
        std::vector<const Graph::Node*> roots;
        for (const auto& node : graph->nodes())
            if (node->before.empty()) roots.push_back(node.get());
        return list(roots, nodes, count);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                             cudaGraphEdgeData* data, size_t* count) {
    return call("cudaGraphGetEdges", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> graph = runtime.graph(handle);
        if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr))
            return cudaErrorInvalidValue;
        std::vector<const Graph::Node*> origins, targets;
        for (const auto& node : graph->nodes())
            for (const Graph::Node* before : node->before) {
                origins.push_back(before);
                targets.push_back(node.get());
            }
        for (std::size_t i = 0; data != nullptr && from != nullptr && i < std::min(*count, origins.size());
             ++i)
            data[i] = {};
        std::size_t room = *count;
        const cudaError_t error = list(origins, from, count);
        return error != cudaSuccess || to == nullptr ? error : list(targets, to, &room);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                                        cudaGraphEdgeData*, size_t* count) {
    return call("cudaGraphNodeGetDependencies", [&](Runtime& runtime, Device&) {
        const Graph::Node* node = known_node(runtime, handle);
        if (node == nullptr) return cudaErrorInvalidValue;
        return list({node->before.begin(), node->before.end()}, nodes, count);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                                          cudaGraphEdgeData*, size_t* count) {
    return call("cudaGraphNodeGetDependentNodes", [&](Runtime& runtime, Device&) {
        const Graph* graph = runtime.graph_with(node_of(handle));
        if (graph == nullptr) return cudaErrorInvalidValue;
        std::vector<const Graph::Node*> found;
        for (const auto& each : graph->nodes())
            if (std::find(each->before.begin(), each->before.end(), node_of(handle)) != each->before.end())
                found.push_back(each.get());
        return list(found, nodes, count);
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                                    const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                                    size_t count) {
    return call("cudaGraphAddDependencies", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> graph = runtime.graph(handle);
        if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
            return cudaErrorInvalidValue;
        if (const cudaError_t error = check_edges(runtime, data, count); error != cudaSuccess) return error;
        for (std::size_t i = 0; i < count; ++i) {
            const Graph::Node *first = node_of(from[i]), *second = node_of(to[i]);
            if (!graph->has(first) || !graph->has(second) || first == second) return cudaErrorInvalidValue;
            if (std::find(second->before.begin(), second->before.end(), first) != second->before.end())
                return cudaErrorInvalidValue;
        }
        for (std::size_t i = 0; i < count; ++i)
            node_of(to[i])->before.push_back(node_of(from[i]));
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                                       const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                                       size_t count) {
    return call("cudaGraphRemoveDependencies", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> graph = runtime.graph(handle);
        if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
            return cudaErrorInvalidValue;
        for (std::size_t i = 0; i < count; ++i) {
            if (!graph->has(node_of(from[i])) || !graph->has(node_of(to[i]))) return cudaErrorInvalidValue;
            if (std::erase(node_of(to[i])->before, node_of(from[i])) == 0) return cudaErrorInvalidValue;
        }
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
    return call("cudaGraphDestroyNode", [&](Runtime& runtime, Device&) {
        Graph* graph = runtime.graph_with(node_of(handle));
        if (graph == nullptr) return cudaErrorInvalidValue;
        const cudaGraphNodeType type = node_of(handle)->task.type;
        if (type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree)
            return cudaErrorNotSupported;
        graph->remove(node_of(handle));
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
    return call("cudaGraphClone", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> known = runtime.graph(original);
        if (clone == nullptr || known == nullptr) return cudaErrorInvalidValue;
        if (has_memory_nodes(*known)) return cudaErrorNotSupported;
        *clone = runtime.add_graph(known->clone());
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original,
                                                    cudaGraph_t clone) {
    return call("cudaGraphNodeFindInClone", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> known = runtime.graph(clone);
        const Graph::Node* node = known == nullptr ? nullptr : known->copy_of(node_of(original));
        if (found == nullptr || node == nullptr) return cudaErrorInvalidValue;
        *found = handle_of(node);
        return cudaSuccess;
    });
}
