// Follows every value of a run from the inputs to the memory that it ends in.
//
// For each value that is stored, the graph holds the loads, constants and earlier values that it was computed
// from: per lane, through registers, calls, spills to local memory, shuffles and atomics, across barriers and
// launches. Addresses, indices and conditions are not data, and are not followed.
//
// Inaccuracies: what is chosen by a predicate (selp, guarded instructions) counts as coming from either side;
// parts of a word that are taken apart by shifts and masks come from the whole word; the results of matrix
// instructions come from the fragments of all lanes. Textures and surfaces are `outside`.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "analysis/code.h"
#include "analysis/flow/graph.h"
#include "trace/trace.h"

namespace lanescope::analysis {

struct FlowLimits {
    std::uint64_t bytes = 512ull << 20;  // for the graph, and for what memory and registers hold
};

struct Flow {
    FlowGraph graph{0};
    bool complete = true;
    std::string incomplete;      // what was left out, in words
    std::uint64_t end_turn = 0;  // the turns before it were followed
    // The value of each cell of the trace's symbols after the last turn, by symbol; empty for symbols that
    // are not in global memory.
    std::vector<std::vector<ValueId>> at_end;
    // Where the host, or a block without a record, changed global memory: 4 bytes each.
    struct Patch {
        std::uint64_t turn = 0;  // before this turn
        std::uint64_t offset = 0;
    };
    std::vector<Patch> patches;
};

// `code` is that of the trace. `cancelled` may be null; once it is set, the flow so far is returned.
std::shared_ptr<const Flow> follow_values(const trace::Trace& trace, const Code& code,
                                          const FlowLimits& limits = {},
                                          const std::atomic<bool>* cancelled = nullptr);

// The flow of one run, followed when it is asked for first. Several threads may use it. The trace and its
// code outlive it.
class SharedFlow {
  public:
    SharedFlow(std::shared_ptr<const trace::Trace> trace, std::shared_ptr<const Code> code)
        : trace_(std::move(trace)), code_(std::move(code)) {}

    bool ready() const { return ready_.load(std::memory_order_acquire); }
    // Waits for it. A cancelled one is followed again at the next call.
    std::shared_ptr<const Flow> get(const std::atomic<bool>* cancelled = nullptr);

  private:
    std::shared_ptr<const trace::Trace> trace_;
    std::shared_ptr<const Code> code_;
    std::mutex mutex_;
    std::atomic<bool> ready_{false};
    std::shared_ptr<const Flow> flow_;
};

}  // namespace lanescope::analysis
