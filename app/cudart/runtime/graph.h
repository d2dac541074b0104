// Graphs of work, as a program makes or captures them, and as their instances run.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <unordered_map>
#include <variant>
#include <vector>

namespace lanescope::cudart {

class Device;
class Graph;

// One piece of work, as it is submitted or as a graph replays it.
using Work = std::function<cudaError_t(Device&)>;

// A launch, with the values that its arguments had when it was described.
struct KernelParameters {
    cudaKernelNodeParams given{};
    std::vector<std::vector<std::byte>> values;  // of the parameters
    std::vector<void*> pointers;                 // to them
};

// What a program can ask of a node; nothing for kinds that have no parameters, and for captured copies of
// other shapes.
using Parameters =
    std::variant<std::monostate, std::shared_ptr<KernelParameters>, cudaMemcpy3DParms, cudaMemsetParams,
                 cudaHostNodeParams, cudaEvent_t, cudaMemAllocNodeParams, void*>;

// What one node does.
struct Task {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    Work work;
    Parameters parameters{};
    std::shared_ptr<Graph> child{};  // instead of `work`; the node's own
};

class Graph {
  public:
    struct Node {
        Task task;
        std::vector<Node*> before{};     // in the same graph
        const Node* original = nullptr;  // of a clone or of an instance
        bool enabled = true;             // of an instance
    };

    const std::vector<std::shared_ptr<Node>>& nodes() const { return nodes_; }
    bool has(const Node* node) const { return numbers_.contains(node); }
    // The graph has all of `before`.
    Node* add(Task task, std::vector<Node*> before);
    // Nodes that waited for it no longer wait.
    void remove(const Node* node);

    // Nodes of the clone know their originals, and so do those of its children.
    std::shared_ptr<Graph> clone() const;
    // The node of this clone, not of its children; null: there is none.
    Node* copy_of(const Node* original) const;
    // The same for an instance, in which nodes of children count.
    Node* instance_of(const Node* original) const;

    // Brings the nodes, and those of children, into the order in which they run: of the nodes that can run,
    // the one that was added first. False: nodes wait for each other.
    bool sort();
    cudaError_t run(Device& device) const;  // sorted

    // Gives the nodes of this instance what those of a sorted clone of another graph do. The nodes in the
    // result are those of that graph.
    cudaGraphExecUpdateResultInfo update(const Graph& other);

    unsigned long long flags = 0;       // of an instance
    unsigned long long capture_id = 0;  // of the last capture into it

  private:
    cudaGraphExecUpdateResultInfo compare(const Graph& other) const;
    std::vector<std::shared_ptr<Node>> nodes_;
    std::unordered_map<const Node*, Node*> copies_;         // by their originals
    std::unordered_map<const Node*, std::size_t> numbers_;  // of the nodes, as they were added
    std::size_t added_ = 0;
};

}  // namespace lanescope::cudart
