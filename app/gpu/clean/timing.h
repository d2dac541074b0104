// Times of work on a GPU: events around each run, warm-up, and the spread of at least 21 runs over rotating
// copies of the inputs, so that no run finds its data in the L2 cache from the run
// before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::gpu {

class Context;

inline constexpr int min_runs = 21;

// Milliseconds of one run of the whole work; quartiles by linear interpolation.
struct Timing {
    double median_ms = 0, minimum_ms = 0, maximum_ms = 0;
    double lower_quartile_ms = 0, upper_quartile_ms = 0;
    int runs = 0;
    int batch = 1;  // runs between one pair of events: more than one only where restoring is not needed
    std::size_t copies = 1;  // of the inputs, in rotation
};

// Summarises one or more times of single runs.
Timing statistics(std::vector<double> milliseconds);

// How many copies of `bytes` must rotate so that the others together are larger than the cache. 1 to 32, and
// no more than fit into `memory_bytes`.
std::size_t rotating_copies(std::uint64_t bytes, std::uint64_t cache_bytes, std::uint64_t memory_bytes);

// Work that is timed. Everything is enqueued on the context's stream (Context::stream()) and must not wait.
struct Work {
    std::size_t copies = 1;
    std::function<Result<void>(std::size_t copy)> launch;  // one run, on that copy of the data
    // Restores a copy for the next run on it; empty: not needed. It is not timed, and not called after the
    // last run.
    std::function<Result<void>(std::size_t copy)> restore;
    // Bytes of one copy. If all copies together fit in the L2 cache, the cache is flushed before each run; 0:
    // never.
    std::uint64_t copy_bytes = 0;
};

struct MeasureOptions {
    int runs = min_runs;
    int warm_up = 3;
    // Limit on one run. A longer run is an error; it goes on, and the context becomes unusable.
    double run_limit_s = 10;
    // Called first, with the error's text. It may end the process, because nothing of the context can be
    // freed while the run goes on.
    std::function<void(const std::string&)> stuck = {};
    // Limit on all runs together. If they would take longer, there are fewer, at least 3; Timing::runs is
    // their number.
    double total_limit_s = 30;
};

// Waits for the context's stream. Errors: the work in it failed, or did not end within `limit_s`.
Result<void> wait_for_runs(Context& context, double limit_s, const MeasureOptions& options);

// Errors: those of the driver; a run that does not end in time.
Result<Timing> measure(Context& context, const Work& work, const MeasureOptions& options = {});

}  // namespace lanescope::gpu
