// Times of work on a GPU: events around each run, warm-up, and the spread of at least 21 runs over rotating
// copies of the inputs, so that no run finds its data in the L2 cache because the one before it left it
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.h"

namespace lanescope::gpu {

class Context;

inline constexpr int fewest_runs = 21;

// Milliseconds of one run of everything that belongs to the work; quartiles by linear interpolation.
struct Timing {
    double median_ms = 0, minimum_ms = 0, maximum_ms = 0;
    double lower_quartile_ms = 0, upper_quartile_ms = 0;
    int runs = 0;
    int batch = 1;  // runs between one pair of events: more than one only where restoring is not needed
    std::size_t copies = 1;  // of the inputs, in rotation
};

// Of one or more times of single runs.
Timing statistics(std::vector<double> milliseconds);

// How many copies of `bytes` must rotate so that all others together are larger than the cache. At least 1;
// no more than fit into `memory_bytes`.
std::size_t rotating_copies(std::uint64_t bytes, std::uint64_t cache_bytes, std::uint64_t memory_bytes);

// Work that is timed. Everything is enqueued on the context's stream (Context::stream()) and must not wait.
struct Work {
    std::size_t copies = 1;
    std::function<Result<void>(std::size_t copy)> launch;  // one run, on that copy of the data
    std::function<Result<void>(std::size_t copy)>
        restore;  // what a run needs as it was; empty: nothing. Not timed
};

struct MeasureOptions {
    int runs = fewest_runs;
    int warm_up = 3;
    double run_limit_s =
        10;  // of one run; longer: an error that says so, and the context cannot be used any more
};

// Errors: those of the driver; a run that does not end in time.
Result<Timing> measure(Context& context, const Work& work, const MeasureOptions& options = {});

}  // namespace lanescope::gpu
