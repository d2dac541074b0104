#include "cudart/runtime/graph.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace lanescope::cudart {

Graph::Node* Graph::add(Task task, std::vector<Node*> before) {
    auto made = std::make_shared<Node>();
    made->task = std::move(task);
    made->before = std::move(before);
    numbers_.emplace(made.get(), added_++);
    nodes_.push_back(std::move(made));
    return nodes_.back().get();
}

void Graph::remove(const Node* node) {
    for (const auto& each : nodes_)
        std::erase(each->before, node);
    numbers_.erase(node);
    copies_.erase(node->original);
    std::erase_if(nodes_, [&](const auto& each) { return each.get() == node; });
}

std::shared_ptr<Graph> Graph::clone() const {
    auto made = std::make_shared<Graph>();
    for (const auto& node : nodes_) {
        Node* const copy = made->add(node->task, {});
        if (copy->task.child != nullptr) copy->task.child = copy->task.child->clone();
        copy->original = node.get();
        copy->enabled = node->enabled;
        made->copies_.emplace(node.get(), copy);
    }
    for (const auto& node : nodes_)
        for (const Node* before : node->before)
            made->copies_.at(node.get())->before.push_back(made->copies_.at(before));
    return made;
}

Graph::Node* Graph::copy_of(const Node* original) const {
    const auto found = copies_.find(original);
    return found == copies_.end() ? nullptr : found->second;
}

Graph::Node* Graph::instance_of(const Node* original) const {
    if (Node* const found = copy_of(original)) return found;
    for (const auto& node : nodes_)
        if (node->task.child != nullptr)
            if (Node* const found = node->task.child->instance_of(original)) return found;
    return nullptr;
}

// Kahn's algorithm with a heap.
bool Graph::sort() {
    std::unordered_map<const Node*, std::vector<const Node*>> after;
    std::unordered_map<const Node*, std::size_t> waits;
    std::unordered_map<const Node*, std::shared_ptr<Node>> owners;
    using Entry = std::pair<std::size_t, const Node*>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    for (const auto& node : nodes_) {
        if (node->task.child != nullptr && !node->task.child->sort()) return false;
        owners.emplace(node.get(), node);
        waits.emplace(node.get(), node->before.size());
        for (const Node* before : node->before)
            after[before].push_back(node.get());
        if (node->before.empty()) ready.emplace(numbers_.at(node.get()), node.get());
    }
    std::vector<std::shared_ptr<Node>> ordered;
    while (!ready.empty()) {
        const Node* const next = ready.top().second;
        ready.pop();
        ordered.push_back(owners.at(next));
        for (const Node* each : after[next])
            if (--waits.at(each) == 0) ready.emplace(numbers_.at(each), each);
    }
    if (ordered.size() != nodes_.size()) return false;
    nodes_ = std::move(ordered);
    return true;
}

cudaError_t Graph::run(Device& device) const {
    for (const auto& node : nodes_) {
        if (!node->enabled) continue;
        const Task& task = node->task;
        const cudaError_t error = task.child != nullptr ? task.child->run(device) : task.work(device);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

namespace {

cudaGraphExecUpdateResultInfo refusal(cudaGraphExecUpdateResult result, const Graph::Node* node,
                                      const Graph::Node* from = nullptr) {
    const auto handle = [](const Graph::Node* of) {
        return of == nullptr ? nullptr
                             : reinterpret_cast<cudaGraphNode_t>(const_cast<Graph::Node*>(of->original));
    };
    return {result, handle(node), handle(from)};
}

using Places = std::unordered_map<const Graph::Node*, std::size_t>;

Places places_of(const Graph& graph) {
    Places made;
    for (const auto& node : graph.nodes())
        made.emplace(node.get(), made.size());
    return made;
}

std::vector<std::size_t> places_before(const Graph::Node& node, const Places& places) {
    std::vector<std::size_t> made;
    for (const Graph::Node* before : node.before)
        made.push_back(places.at(before));
    std::sort(made.begin(), made.end());
    return made;
}

// Whether both are copies between the same kinds of memory, as far as that is known.
bool same_kind_of_copy(const Task& a, const Task& b) {
    const auto *first = std::get_if<cudaMemcpy3DParms>(&a.parameters),
               *second = std::get_if<cudaMemcpy3DParms>(&b.parameters);
    if (first == nullptr || second == nullptr) return true;
    return first->kind == second->kind && (first->srcArray == nullptr) == (second->srcArray == nullptr) &&
           (first->dstArray == nullptr) == (second->dstArray == nullptr);
}

}  // namespace

cudaGraphExecUpdateResultInfo Graph::compare(const Graph& other) const {
    if (nodes_.size() != other.nodes_.size())
        return refusal(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
    const Places own = places_of(*this), theirs = places_of(other);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node &node = *nodes_[i], &wanted = *other.nodes_[i];
        if (node.task.type != wanted.task.type)
            return refusal(cudaGraphExecUpdateErrorNodeTypeChanged, &wanted);
        if (places_before(node, own) != places_before(wanted, theirs))
            return refusal(cudaGraphExecUpdateErrorTopologyChanged, &wanted);
        if (!same_kind_of_copy(node.task, wanted.task))
            return refusal(cudaGraphExecUpdateErrorParametersChanged, &wanted);
        if (node.task.child != nullptr)
            if (const auto inner = node.task.child->compare(*wanted.task.child);
                inner.result != cudaGraphExecUpdateSuccess)
                return inner;
    }
    return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

cudaGraphExecUpdateResultInfo Graph::update(const Graph& other) {
    const cudaGraphExecUpdateResultInfo result = compare(other);
    if (result.result != cudaGraphExecUpdateSuccess) return result;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Task& own = nodes_[i]->task;
        if (own.child != nullptr)
            own.child->update(*other.nodes_[i]->task.child);
        else
            own = other.nodes_[i]->task;
    }
    return result;
}

}  // namespace lanescope::cudart
