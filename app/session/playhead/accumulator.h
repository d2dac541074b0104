// The variable in which a kernel collects its result, which says most about what a lane does.
#pragma once

#include <string>

#include "execution/run/run.h"

namespace lanescope::session {

// Returns the variable of the kernel that most turns update with `+=`, `*=`, …, or with `a = f(a, …)`,
// outside of the head of a loop; empty if there is none.
std::string busiest_accumulator(const execution::RunResult& run, const trace::Function& kernel);

}  // namespace lanescope::session
