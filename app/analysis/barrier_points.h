// Finds instructions that begin a step which waits at a block's barrier.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/code.h"
#include "trace/trace.h"

namespace lanescope::analysis {

// Returns one flag per pc, from the turns of the launch. If none of them waited, the PTX decides: a step
// waits if a barrier comes before the next line begins. `code` is that of the trace.
std::vector<bool> barrier_points(const trace::Trace& trace, const Code& code, std::uint32_t launch);

}  // namespace lanescope::analysis
