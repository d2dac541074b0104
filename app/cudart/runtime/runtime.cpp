#include "cudart/runtime/runtime.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "cudart/runtime/host_events.h"
#include "cudart/runtime/host_faults.h"

namespace lanescope::cudart {

namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local std::vector<Runtime::Configuration> pending_configurations;

template <class Handle, class Value>
Value* found(std::map<Handle, std::unique_ptr<Value>>& all, Handle handle) {
    const auto at = all.find(handle);
    return at == all.end() ? nullptr : at->second.get();
}

}  // namespace

// The functions of the program may call this library until its very end, after the library's own statics are
// gone: it is never destroyed. What must be written at the end is written by an exit handler.
Runtime& Runtime::instance() {
    static Runtime* const made = new Runtime;
    return *made;
}

Device& Runtime::device() {
    if (device_ == nullptr) {
        device_ = std::make_unique<Device>(registry_, timeline_);
        if (!std::exchange(watches_end_, true)) {
            std::atexit([] { instance().end(); });
            if (journal_.kept()) watch_host_faults();
        }
    }
    return *device_;
}

void Runtime::end() {
    const std::scoped_lock lock(mutex_);
    nlohmann::ordered_json leaks = nlohmann::ordered_json::array();
    if (device_ != nullptr)
        for (const auto& [address, block] : device_->blocks())
            if (block.kind != Block::Kind::registered && block.flags != graph_memory)
                leaks.push_back({{"number", block.number}, {"bytes", block.size_bytes}});
    journal_.write({{"event", "end"},
                    {"leaks", std::move(leaks)},
                    {"lost_output", device_ != nullptr && device_->has_output()},
                    {"lost_fault", fault_ == cudaSuccess ? "" : cudaGetErrorName(fault_)}},
                   true);
}

void Runtime::note_host_access(std::uint64_t address) {
    if (device_ == nullptr || !device_->in_range(address)) return;
    nlohmann::ordered_json event{{"event", "host_access"}};
    if (const Block* block = device_->find(address))
        event["at"] = json_of(HostEnd{block->number, address - block->address, {}});
    else if (const std::string variable = device_->variable_name(address); !variable.empty())
        event["at"] = json_of(HostEnd{{}, 0, variable});
    else if (const std::string freed = device_->freed_name(address); !freed.empty())
        event["freed"] = freed;
    journal_.write_host(std::move(event), true);
}

bool Runtime::admit_host(std::uint64_t address, bool writes) {
    const std::scoped_lock lock(mutex_);
    return device_ != nullptr && timeline_.admit_host(*device_, address, writes);
}

cudaError_t Runtime::synchronise() {
    if (device_ != nullptr) device_->flush_output();
    if (sticky_ == cudaSuccess) sticky_ = std::exchange(fault_, cudaSuccess);
    return sticky_;
}

void Runtime::fail_later(cudaError_t fault) {
    if (fault_ == cudaSuccess) fault_ = fault;
}

cudaError_t Runtime::returned(const char* function, cudaError_t error) {
    // Not errors: cudaEventQuery and its kin tell a state.
    if (error == cudaSuccess || error == cudaErrorNotReady) return error;
    last_error = error;
    const std::string reason = journal_.take_reason();
    if (!journal_.kept() && !reason.empty())
        journal_.warn(std::string(function) + " returned " + cudaGetErrorName(error) + ": " + reason);
    nlohmann::ordered_json event{
        {"event", "error"}, {"code", static_cast<int>(error)}, {"name", cudaGetErrorName(error)}};
    if (!reason.empty()) event["reason"] = reason;
    if (!journal_.kernel().empty()) event["symbol"] = journal_.kernel();
    event["thread"] = static_cast<std::uint64_t>(gettid());
    journal_.write_host(std::move(event), true);
    return error;
}

cudaError_t Runtime::take_last_error(bool reset) {
    if (last_error != cudaSuccess)
        journal_.write({{"event", "asked"}, {"thread", static_cast<std::uint64_t>(gettid())}});
    return reset ? std::exchange(last_error, cudaSuccess) : last_error;
}

void Runtime::reset_device() {
    if (device_ != nullptr) device_->flush_output();
    fault_ = sticky_ = cudaSuccess;
    default_stream_ = {};
    thread_streams_.clear();
    graphs_.clear();
    instances_.clear();
    device_.reset();
    streams_.clear();
    events_.clear();
}

Stream* Runtime::stream(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &default_stream_;
    if (handle == cudaStreamPerThread) return &thread_stream();
    return found(streams_, handle);
}

Stream& Runtime::thread_stream() {
    std::unique_ptr<Stream>& made = thread_streams_[std::this_thread::get_id()];
    if (made == nullptr) {
        made = std::make_unique<Stream>();
        made->number = ++stream_count_;
        timeline_.create_stream(made->number, made->flags, made->priority);
    }
    return *made;
}

cudaStream_t Runtime::make_stream(unsigned flags, int priority) {
    auto made = std::make_unique<Stream>();
    made->number = ++stream_count_;
    made->flags = flags;
    made->priority = priority;
    timeline_.create_stream(made->number, flags, priority);
    const auto handle = reinterpret_cast<cudaStream_t>(made.get());
    streams_.emplace(handle, std::move(made));
    return handle;
}

bool Runtime::destroy_stream(cudaStream_t handle) {
    const Stream* known = found(streams_, handle);
    if (known == nullptr) return false;
    timeline_.destroy_stream(known->number);
    streams_.erase(handle);
    return true;
}

Event* Runtime::event(cudaEvent_t handle) {
    return found(events_, handle);
}

cudaEvent_t Runtime::make_event(unsigned flags) {
    auto made = std::make_unique<Event>();
    made->number = ++event_count_;
    made->flags = flags;
    const auto handle = reinterpret_cast<cudaEvent_t>(made.get());
    events_.emplace(handle, std::move(made));
    return handle;
}

bool Runtime::destroy_event(cudaEvent_t handle) {
    return events_.erase(handle) != 0;
}

cudaError_t Runtime::submit(cudaStream_t handle, Task task) {
    Stream* const target = stream(handle);
    if (target == nullptr) return cudaErrorInvalidResourceHandle;
    if (target->capture == cudaStreamCaptureStatusInvalidated) return cudaErrorStreamCaptureInvalidated;
    if (target->capture == cudaStreamCaptureStatusNone) {
        const Timeline::Submitted submitted(timeline_, target->number);
        return task.work(device());
    }
    target->last = {target->captured->add(std::move(task), target->last)};
    return cudaSuccess;
}

bool Runtime::is_capturing() const {
    for (const auto& [handle, each] : streams_)
        if (each->capture == cudaStreamCaptureStatusActive) return true;
    return std::any_of(thread_streams_.begin(), thread_streams_.end(), [](const auto& each) {
        return each.second->capture == cudaStreamCaptureStatusActive;
    });
}

void Runtime::begin_capture(Stream& stream, std::shared_ptr<Graph> graph, std::vector<Graph::Node*> last) {
    stream.capture = cudaStreamCaptureStatusActive;
    stream.captured = std::move(graph);
    stream.captured->capture_id = ++capture_count_;
    stream.last = std::move(last);
    stream.began_capture = true;
}

void Runtime::join_capture(Stream& stream, const Event& event) {
    if (stream.capture == cudaStreamCaptureStatusNone) {
        stream.capture = cudaStreamCaptureStatusActive;
        stream.captured = event.captured;
    }
    for (Graph::Node* node : event.last)
        if (std::find(stream.last.begin(), stream.last.end(), node) == stream.last.end())
            stream.last.push_back(node);
}

bool Runtime::end_capture(const Stream& stream) {
    const std::shared_ptr<Graph> graph = stream.captured;
    std::set<const Graph::Node*> awaited;  // by what follows in the stream
    for (std::vector<Graph::Node*> left = stream.last; !left.empty();) {
        const Graph::Node* const node = left.back();
        left.pop_back();
        if (awaited.insert(node).second) left.insert(left.end(), node->before.begin(), node->before.end());
    }
    bool joined = true;
    const auto leave = [&](Stream& each) {
        if (each.captured != graph) return;
        for (const Graph::Node* node : each.last)
            joined = joined && awaited.contains(node);
        each.capture = cudaStreamCaptureStatusNone;
        each.captured = nullptr;
        each.last.clear();
        each.began_capture = false;
    };
    for (const auto& [thread, each] : thread_streams_)
        leave(*each);
    for (const auto& [handle, each] : streams_)
        leave(*each);
    for (const auto& [handle, each] : events_)
        if (each->captured == graph) each->captured = nullptr, each->last.clear();
    return joined;
}

std::shared_ptr<Graph> Runtime::graph(cudaGraph_t handle) {
    if (const auto at = graphs_.find(handle); at != graphs_.end()) return at->second;
    const auto lent = lent_graphs_.find(handle);
    return lent == lent_graphs_.end() ? nullptr : lent->second.lock();
}

cudaGraph_t Runtime::add_graph(std::shared_ptr<Graph> graph) {
    const auto handle = reinterpret_cast<cudaGraph_t>(graph.get());
    graphs_.emplace(handle, std::move(graph));
    return handle;
}

cudaGraph_t Runtime::lend_graph(const std::shared_ptr<Graph>& graph) {
    const auto handle = reinterpret_cast<cudaGraph_t>(graph.get());
    lent_graphs_[handle] = graph;
    return handle;
}

Graph* Runtime::graph_with(const Graph::Node* node) {
    for (const auto& [handle, graph] : graphs_)
        if (graph->has(node)) return graph.get();
    for (const auto& [handle, lent] : lent_graphs_)
        if (const std::shared_ptr<Graph> graph = lent.lock(); graph != nullptr && graph->has(node))
            return graph.get();
    return nullptr;
}

bool Runtime::destroy_graph(cudaGraph_t handle) {
    return graphs_.erase(handle) != 0;
}

std::shared_ptr<Graph> Runtime::instance(cudaGraphExec_t handle) {
    const auto at = instances_.find(handle);
    return at == instances_.end() ? nullptr : at->second;
}

cudaGraphExec_t Runtime::add_instance(std::shared_ptr<Graph> sorted) {
    const auto handle = reinterpret_cast<cudaGraphExec_t>(sorted.get());
    instances_.emplace(handle, std::move(sorted));
    return handle;
}

bool Runtime::destroy_instance(cudaGraphExec_t handle) {
    return instances_.erase(handle) != 0;
}

bool Runtime::limit(cudaLimit which, std::size_t& value) const {
    const auto known = limits_.find(which);
    if (known == limits_.end()) return false;
    value = known->second;
    return true;
}

bool Runtime::set_limit(cudaLimit which, std::size_t value) {
    const auto known = limits_.find(which);
    if (known == limits_.end()) return false;
    known->second = value;
    return true;
}

std::vector<Runtime::Configuration>& Runtime::configurations() {
    return pending_configurations;
}

}  // namespace lanescope::cudart
