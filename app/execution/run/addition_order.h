// Sums of floating-point numbers by atomics, whose last bits depend on the order of the additions.
#pragma once

#include <atomic>

#include "execution/run/run.h"

namespace lanescope::execution {

// Runs the request again under other schedules, if its code adds floating-point numbers with atomics and a
// run is short. Adds a note to the problems if a buffer then has other numbers. A run with problems gets
// none: its results may differ for other reasons. `recorded`: the trace of the run.
void note_addition_order(const RunRequest& request, const trace::Trace& recorded, double seconds,
                         RunResult& result, const std::atomic<bool>* cancel);

}  // namespace lanescope::execution
