// Finds accesses of different threads to the same memory, one of them a write, that nothing orders.
//
// A race stays a race whatever the schedule was, so the trace of one run shows those of all runs that take
// the same paths. Kinds: `race`; `unsynced_lanes` where lanes of one warp were ordered by lockstep alone.
// Stores of the same value to the same place are a note, which fails no run; so is a read of that value by a
// thread that stored it, too.
//
// Inaccuracies: synchronisation by luck (a flag that happened to be seen) counts as order. For each cell the
// last write is kept and, of the reads and atomics of several warps since, the last 8 to 16. Asynchronous
// bulk copies are not examined. happens_before.h lists the inaccuracies of the order itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/code.h"
#include "trace/trace.h"

namespace lanescope::analysis {

struct RaceLimits {
    std::uint64_t shadow_bytes = 1ull << 30;  // memory for past accesses
    std::uint32_t problems = 100;             // distinct ones
};

struct RaceReport {
    std::vector<trace::Problem> problems;  // in the order in which they were met
    bool complete = true;
    std::string incomplete;  // what was not examined, in words
};

// The search in a trace that comes in slices (trace::RecorderLimits::take_slice), launch by launch. Beyond
// the inaccuracies above: what lanes of a warp did in an earlier slice counts as done in lockstep.
class RaceSearch {
  public:
    // All must outlive the search; `code` is that of the trace.
    RaceSearch(const trace::Trace& trace, const Code& code, const RaceLimits& limits,
               const std::atomic<bool>* cancelled = nullptr);
    ~RaceSearch();
    RaceSearch(const RaceSearch&) = delete;
    RaceSearch& operator=(const RaceSearch&) = delete;

    // The trace holds further turns of its last launch. `last`: no more follow.
    void take_slice(bool last);
    RaceReport finish();

    // Searches a whole trace; call this instead of the two functions above.
    RaceReport in_whole_trace();

  private:
    class Search;
    std::unique_ptr<Search> search_;
};

// `code` is that of the trace. `cancelled` may be null; once it is set, the problems found so far are
// returned.
RaceReport find_races(const trace::Trace& trace, const Code& code, const RaceLimits& limits = {},
                      const std::atomic<bool>* cancelled = nullptr);

}  // namespace lanescope::analysis
