// Which lanes of a warp did more in a step of one line than evaluate its condition.
#pragma once

#include <span>

#include "trace/replay.h"

namespace lanescope::analysis {

// Returns the lanes that acted: those whose last turn of the step was not split by a branch after which
// others went on, and those that stored, exchanged or changed a value, or whose access is a problem. In a
// turn in which only some lanes store (predicated code), a lane without any effect did not act; nor did one
// that only jumped where lanes meet again. If no lane acted more than the others, all lanes that ran did.
trace::Mask acting_lanes(const trace::Trace& trace, std::span<const trace::TurnDetail> step,
                         std::uint32_t warp);

}  // namespace lanescope::analysis
