// What one run of a submission measured for a goal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "execution/run/run.h"
#include "lesson/course/exercise.h"

namespace lanescope::judge {

// The count that the goal bounds; of `uses` and `avoids` how often the feature was used. The run has a trace.
double measured(const lesson::Goal& goal, const execution::RunResult& run);

// Whether at least half of the elements that are expected came through what the goal `uses` names. None: it
// leaves no mark on values, or they could not be followed.
std::optional<bool> passes_through(const lesson::Goal& uses, const execution::RunResult& run);

// The phases between block barriers: of each launch those of its block that has most, summed over launches.
std::uint64_t phases_of(const trace::Trace& trace);
// Operations on the longest way to an element of the buffer at the end; 0: there is no such buffer.
std::uint64_t depth_of(const std::string& buffer, const execution::RunResult& run);

// The line that has the greatest part in the count; 0: the count is not one of lines.
std::uint32_t line_of(const lesson::Goal& goal, const execution::RunResult& run);
// The first turn on this line that has the greatest part in the count; none if no turn has a part.
std::optional<std::uint64_t> turn_of(const lesson::Goal& goal, const execution::RunResult& run,
                                     std::uint32_t line);
// The lines with block barriers that released threads, ascending.
std::vector<std::uint32_t> barrier_lines(const execution::RunResult& run);

}  // namespace lanescope::judge
