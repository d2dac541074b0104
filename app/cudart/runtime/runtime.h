// The state behind the CUDA runtime interface of one process: device, streams, events, errors.
//
// Work runs when it is submitted, in the order of submission, which is one of the orders that CUDA allows.
// Faults of kernels are found by later calls, as on a GPU: the next call that waits for the device returns
// them, and so do all calls after it until the device is reset.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cudart/runtime/device.h"
#include "cudart/runtime/graph.h"
#include "cudart/runtime/journal.h"
#include "cudart/runtime/registry.h"
#include "cudart/runtime/timeline.h"

namespace lanescope::cudart {

// The L2 cache of an H200. Persisting memory may take ten of its sixteen parts, and takes whole ones.
constexpr std::size_t l2_bytes = 60 << 20, l2_part_bytes = l2_bytes / 16;
constexpr std::size_t most_persisting_bytes = 10 * l2_part_bytes;

struct Stream {
    std::uint64_t number = 0;  // 0: the default stream
    unsigned flags = 0;
    int priority = 0;
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    std::shared_ptr<Graph> captured;  // what it captures into
    std::vector<Graph::Node*> last;   // of it, for which the next node waits
    std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;  // that the program has set
    bool began_capture = false;                                            // not joined by an event
};

struct Event {
    std::uint64_t number = 0;
    unsigned flags = 0;
    bool recorded = false;
    std::uint64_t at = 0;             // the machine's steps
    std::shared_ptr<Graph> captured;  // recorded while a stream was capturing
    std::vector<Graph::Node*> last;   // of it
};

class Runtime {
  public:
    static Runtime& instance();

    std::recursive_mutex& mutex() { return mutex_; }
    Journal& journal() { return journal_; }
    Timeline& timeline() { return timeline_; }
    Registry& registry() { return registry_; }
    Device& device();  // made by the first use

    // --- errors
    // What a call returns, before it does anything: the error of a kernel that has ended the context.
    cudaError_t sticky() const { return sticky_; }
    // Waits for the device: takes the fault of an earlier kernel, and prints what kernels have printed.
    cudaError_t synchronise();
    void fail_later(cudaError_t fault);
    // The host is about to end, because it accesses this address: tells the journal, if it is the device's.
    void note_host_access(std::uint64_t address);
    // Whether the access can come again, because a check had closed the memory to the host.
    bool admit_host(std::uint64_t address, bool writes);
    // Keeps the error of a call for cudaGetLastError() of this thread, and returns it.
    cudaError_t returned(const char* function, cudaError_t error);
    cudaError_t take_last_error(bool reset);
    void reset_device();

    // --- streams and events; null: the handle is not one
    Stream* stream(cudaStream_t handle);
    // The stream that stands for the null stream in code that was compiled with a default stream for each
    // thread.
    Stream& thread_stream();
    cudaStream_t make_stream(unsigned flags, int priority);
    bool destroy_stream(cudaStream_t handle);
    Event* event(cudaEvent_t handle);
    cudaEvent_t make_event(unsigned flags);
    bool destroy_event(cudaEvent_t handle);
    // Runs the work, or captures it. Errors: the handle is not a stream's.
    cudaError_t submit(cudaStream_t handle, Task task);
    bool is_capturing() const;  // any stream
    bool is_capturing(cudaStream_t handle) {
        const Stream* asked = stream(handle);
        return asked != nullptr && asked->capture == cudaStreamCaptureStatusActive;
    }
    void begin_capture(Stream& stream, std::shared_ptr<Graph> graph, std::vector<Graph::Node*> last);
    // The stream waits for what the event marks in a graph that is being captured.
    static void join_capture(Stream& stream, const Event& event);
    // Ends it for all streams that capture into the graph. False: one of them has work for which `stream`
    // does not wait.
    bool end_capture(const Stream& stream);

    // --- graphs
    std::shared_ptr<Graph> graph(cudaGraph_t handle);  // null: the handle is not one
    cudaGraph_t add_graph(std::shared_ptr<Graph> graph);
    bool destroy_graph(cudaGraph_t handle);
    // A handle for a graph that belongs to a node.
    cudaGraph_t lend_graph(const std::shared_ptr<Graph>& graph);
    // The graph that has the node; null: none has.
    Graph* graph_with(const Graph::Node* node);
    std::shared_ptr<Graph> instance(cudaGraphExec_t handle);
    cudaGraphExec_t add_instance(std::shared_ptr<Graph> sorted);
    bool destroy_instance(cudaGraphExec_t handle);

    // --- limits that cudaDeviceSetLimit knows; false: not this one
    bool limit(cudaLimit which, std::size_t& value) const;
    bool set_limit(cudaLimit which, std::size_t value);

    // --- the configuration between <<<…>>> and the launch
    struct Configuration {
        dim3 grid, block;
        std::size_t shared = 0;
        cudaStream_t stream = nullptr;
    };
    std::vector<Configuration>& configurations();  // of this thread

  private:
    Runtime() = default;
    void end();  // of the process
    std::recursive_mutex mutex_;
    bool watches_end_ = false;
    Journal journal_;
    Timeline timeline_{journal_};
    Registry registry_;
    std::unique_ptr<Device> device_;
    cudaError_t fault_ = cudaSuccess;  // not found yet
    cudaError_t sticky_ = cudaSuccess;
    Stream default_stream_;
    std::map<std::thread::id, std::unique_ptr<Stream>> thread_streams_;  // cudaStreamPerThread of each
    std::map<cudaStream_t, std::unique_ptr<Stream>> streams_;
    std::map<cudaEvent_t, std::unique_ptr<Event>> events_;
    std::map<cudaGraph_t, std::shared_ptr<Graph>> graphs_;
    std::map<cudaGraph_t, std::weak_ptr<Graph>> lent_graphs_;
    std::map<cudaGraphExec_t, std::shared_ptr<Graph>> instances_;
    std::uint64_t stream_count_ = 0, event_count_ = 0, capture_count_ = 0;
    std::map<cudaLimit, std::size_t> limits_{{cudaLimitStackSize, 1 << 10},
                                             {cudaLimitPrintfFifoSize, 1 << 20},
                                             {cudaLimitMallocHeapSize, 8 << 20},
                                             {cudaLimitDevRuntimeSyncDepth, 2},
                                             {cudaLimitDevRuntimePendingLaunchCount, 2048},
                                             {cudaLimitMaxL2FetchGranularity, 64},
                                             {cudaLimitPersistingL2CacheSize, 3 * l2_part_bytes}};
};

}  // namespace lanescope::cudart
