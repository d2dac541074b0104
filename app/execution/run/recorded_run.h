// A run for its trace alone: no analysis, no verdict.
#pragma once

#include "execution/run/run.h"

namespace lanescope::execution {

// Runs the file on the CPU machine; of a single launch whose blocks do not depend on each other, only the
// recorded ones. The result has the instance, the compiled code, the trace and the counts of instructions.
// The trace ends early if it takes more than `trace_bytes`. Errors: those of execute(); the run did not
// finish.
Result<RunResult> record(const RunRequest& request, const std::atomic<bool>* cancel = nullptr);

}  // namespace lanescope::execution
