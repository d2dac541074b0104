// Which instructions begin a step that waits at a block's barrier.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace lanescope::analysis {

// By pc. By what the turns of the launch did; where none of them waited, by the PTX.
std::vector<bool> barrier_points(const trace::Trace& trace, std::uint32_t launch);
// By the PTX alone: a step waits when a barrier comes before the next line begins.
std::vector<bool> barrier_points(const trace::Program& program);

}  // namespace lanescope::analysis
