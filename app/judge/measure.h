// What one run of a submission measured for a goal.
#pragma once

#include <cstdint>

#include "lesson/exercise.h"
#include "session/run/run.h"

namespace lanescope::judge {

// The count that the goal bounds; of `uses` and `avoids` how often the feature was used. The run has a trace.
double measured(const lesson::Goal& goal, const session::RunResult& run);

// The line that has the greatest part in the count; 0: the count is not one of lines.
std::uint32_t line_of(const lesson::Goal& goal, const session::RunResult& run);

}  // namespace lanescope::judge
