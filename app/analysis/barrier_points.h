// Which instructions begin a step that waits at a block's barrier.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/code.h"
#include "trace/trace.h"

namespace lanescope::analysis {

// By pc. By what the turns of the launch did; where none of them waited, by the PTX: a step waits when a
// barrier comes before the next line begins. `code` is that of the trace.
std::vector<bool> barrier_points(const trace::Trace& trace, const Code& code, std::uint32_t launch);

}  // namespace lanescope::analysis
