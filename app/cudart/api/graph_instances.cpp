// Instances of graphs: made, launched, changed.
#include <algorithm>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

cudaError_t instantiate(Runtime& runtime, cudaGraphExec_t* instance, cudaGraph_t handle,
                        unsigned long long flags) {
    constexpr unsigned long long instance_flags =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
        cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
    const std::shared_ptr<Graph> graph = runtime.graph(handle);
    if (instance == nullptr || graph == nullptr || (flags & ~instance_flags) != 0)
        return cudaErrorInvalidValue;
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
        runtime.journal().explain("graphs that kernels launch are not supported");
        return cudaErrorNotSupported;
    }
    const std::shared_ptr<Graph> made = graph->clone();
    if (!made->sort()) return cudaErrorInvalidValue;
    made->flags = flags;
    *instance = runtime.add_instance(made);
    return cudaSuccess;
}

// The node of the instance that stands for the node of its graph; null: there is none.
Graph::Node* place_in(Runtime& runtime, cudaGraphExec_t handle, cudaGraphNode_t node) {
    const std::shared_ptr<Graph> instance = runtime.instance(handle);
    return instance == nullptr ? nullptr : instance->instance_of(node_of(node));
}

bool is_linear(const Task& task) {
    if (const auto* box = std::get_if<cudaMemcpy3DParms>(&task.parameters))
        return box->extent.height <= 1 && box->extent.depth <= 1;
    if (const auto* fill = std::get_if<cudaMemsetParams>(&task.parameters)) return fill->height <= 1;
    return true;
}

// Whether both ends are in memory of the same kind, which an instance may not change.
bool same_memory(Device& device, const Task& a, const Task& b) {
    if (const auto* fill = std::get_if<cudaMemsetParams>(&b.parameters))
        return device.holds(address_of(fill->dst), 1);
    const auto *first = std::get_if<cudaMemcpy3DParms>(&a.parameters),
               *second = std::get_if<cudaMemcpy3DParms>(&b.parameters);
    if (first == nullptr || second == nullptr) return true;
    const auto on_device = [&](const cudaArray_t array, const cudaPitchedPtr& memory) {
        return array != nullptr || device.holds(address_of(memory.ptr), 1);
    };
    return on_device(first->srcArray, first->srcPtr) == on_device(second->srcArray, second->srcPtr) &&
           on_device(first->dstArray, first->dstPtr) == on_device(second->dstArray, second->dstPtr);
}

cudaError_t change(Runtime& runtime, Device& device, cudaGraphExec_t instance, cudaGraphNode_t node,
                   cudaError_t described, Task task) {
    Graph::Node* const place = place_in(runtime, instance, node);
    if (place == nullptr || (described == cudaSuccess && place->task.type != task.type))
        return cudaErrorInvalidValue;
    if (described != cudaSuccess) return described;
    if (!is_linear(place->task) || !is_linear(task) || !same_memory(device, place->task, task)) {
        runtime.journal().explain(
            "an instance changes only copies and fills of one dimension, and not the kinds of memory between "
            "which they "
            "copy");
        return cudaErrorInvalidValue;
    }
    if (task.child != nullptr) {
        if (!task.child->sort()) return cudaErrorInvalidValue;
        return place->task.child->update(*task.child).result == cudaGraphExecUpdateSuccess
                   ? cudaSuccess
                   : cudaErrorGraphExecUpdateFailure;
    }
    place->task = std::move(task);
    return cudaSuccess;
}

bool may_be_disabled(const Graph::Node* node) {
    if (node == nullptr) return false;
    const cudaGraphNodeType type = node->task.type;
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
           type == cudaGraphNodeTypeMemset;
}

}  // namespace

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph,
                                                unsigned long long flags) {
    return call("cudaGraphInstantiate",
                [&](Runtime& runtime, Device&) { return instantiate(runtime, instance, graph, flags); });
}

LANESCOPE_CUDA cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* instance, cudaGraph_t graph,
                                                         unsigned long long flags) {
    return call("cudaGraphInstantiateWithFlags",
                [&](Runtime& runtime, Device&) { return instantiate(runtime, instance, graph, flags); });
}

LANESCOPE_CUDA cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* instance, cudaGraph_t graph,
                                                          cudaGraphInstantiateParams* wanted) {
    return call("cudaGraphInstantiateWithParams", [&](Runtime& runtime, Device&) {
        if (wanted == nullptr) return cudaErrorInvalidValue;
        const cudaError_t error = instantiate(runtime, instance, graph, wanted->flags);
        wanted->errNode_out = nullptr;
        wanted->result_out =
            error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
        return error;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
    return call("cudaGraphExecGetFlags", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> instance = runtime.instance(handle);
        if (instance == nullptr || flags == nullptr) return cudaErrorInvalidValue;
        *flags = instance->flags;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
    return call("cudaGraphLaunch", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> instance = runtime.instance(handle);
        if (instance == nullptr) return cudaErrorInvalidValue;
        // A captured launch keeps what the instance does now.
        const std::shared_ptr<Graph> graph = runtime.is_capturing(stream) ? instance->clone() : instance;
        return runtime.submit(stream, {cudaGraphNodeTypeGraph,
                                       [graph](Device& device) {
                                           Timeline& timeline = device.timeline();
                                           timeline.launch_graph(timeline.stream());
                                           return graph->run(device);
                                       },
                                       {},
                                       runtime.is_capturing(stream) ? graph : nullptr});
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphUpload(cudaGraphExec_t instance, cudaStream_t stream) {
    return call("cudaGraphUpload", [&](Runtime& runtime, Device&) {
        return runtime.instance(instance) != nullptr && runtime.stream(stream) != nullptr
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
    return call("cudaGraphExecDestroy", [&](Runtime& runtime, Device&) {
        return runtime.destroy_instance(instance) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

#define LANESCOPE_CHANGE(FUNCTION, ARGUMENTS, ...)                                      \
    LANESCOPE_CUDA cudaError_t FUNCTION(cudaGraphExec_t instance, cudaGraphNode_t node, \
                                        LANESCOPE_CHANGED ARGUMENTS) {                  \
        return call(#FUNCTION, [&](Runtime& runtime, Device& device) {                  \
            Task task;                                                                  \
            const cudaError_t error = __VA_ARGS__;                                      \
            return change(runtime, device, instance, node, error, std::move(task));     \
        });                                                                             \
    }
#define LANESCOPE_CHANGED(...) __VA_ARGS__

LANESCOPE_CHANGE(cudaGraphExecKernelNodeSetParams, (const cudaKernelNodeParams* kernel),
                 describe_kernel(runtime, device, kernel, task))
LANESCOPE_CHANGE(cudaGraphExecMemcpyNodeSetParams, (const cudaMemcpy3DParms* box), describe_copy(box, task))
LANESCOPE_CHANGE(cudaGraphExecMemcpyNodeSetParams1D,
                 (void* to, const void* from, size_t bytes, cudaMemcpyKind kind),
                 describe_bytes(to, from, bytes, kind, task))
LANESCOPE_CHANGE(cudaGraphExecMemcpyNodeSetParamsToSymbol,
                 (const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind),
                 describe_to_symbol(runtime, device, {symbol, offset}, from, bytes, kind, task))
LANESCOPE_CHANGE(cudaGraphExecMemcpyNodeSetParamsFromSymbol,
                 (void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind),
                 describe_from_symbol(runtime, device, to, {symbol, offset}, bytes, kind, task))
LANESCOPE_CHANGE(cudaGraphExecMemsetNodeSetParams, (const cudaMemsetParams* fill), describe_fill(fill, task))
LANESCOPE_CHANGE(cudaGraphExecHostNodeSetParams, (const cudaHostNodeParams* host), describe_host(host, task))
LANESCOPE_CHANGE(cudaGraphExecChildGraphNodeSetParams, (cudaGraph_t child),
                 describe_child(runtime, child, task))
LANESCOPE_CHANGE(cudaGraphExecEventRecordNodeSetEvent, (cudaEvent_t event),
                 describe_record(runtime, event, task))
LANESCOPE_CHANGE(cudaGraphExecEventWaitNodeSetEvent, (cudaEvent_t event), describe_wait(runtime, event, task))
LANESCOPE_CHANGE(cudaGraphExecNodeSetParams, (cudaGraphNodeParams * given),
                 describe_node(runtime, device, given, task))

LANESCOPE_CUDA cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                   unsigned enabled) {
    return call("cudaGraphNodeSetEnabled", [&](Runtime& runtime, Device&) {
        Graph::Node* const place = place_in(runtime, instance, node);
        if (!may_be_disabled(place)) return cudaErrorInvalidValue;
        place->enabled = enabled != 0;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                   unsigned* enabled) {
    return call("cudaGraphNodeGetEnabled", [&](Runtime& runtime, Device&) {
        const Graph::Node* const place = place_in(runtime, instance, node);
        if (!may_be_disabled(place) || enabled == nullptr) return cudaErrorInvalidValue;
        *enabled = place->enabled ? 1 : 0;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                               cudaGraphExecUpdateResultInfo* info) {
    return call("cudaGraphExecUpdate", [&](Runtime& runtime, Device&) {
        const std::shared_ptr<Graph> instance = runtime.instance(handle), other = runtime.graph(graph);
        if (instance == nullptr || other == nullptr) return cudaErrorInvalidValue;
        const std::shared_ptr<Graph> ordered = other->clone();
        cudaGraphExecUpdateResultInfo result{cudaGraphExecUpdateError, nullptr, nullptr};
        const bool sorted = ordered->sort();
        if (sorted) result = instance->update(*ordered);
        if (info != nullptr) *info = result;
        if (!sorted) return cudaErrorInvalidValue;
        return result.result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
    });
}
