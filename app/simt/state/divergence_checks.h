// Barriers and operations of a warp that some lanes miss; control.h has the checks that branches and barriers
// call.
#pragma once

#include "simt/state/block.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

// A barrier of the whole block opens: reports warps that wait at another __syncthreads() than the first one,
// and warps that went past it and left the kernel. Those that left early, from where they would have come to
// it, are fine.
void check_barrier_places(Block& block);

// Reports lanes of an operation of the warp whose own member mask lacks them. True when there are any: they
// cannot wait for each other.
bool report_unnamed_lanes(Warp& warp, std::uint32_t pc, Mask lanes, const std::uint32_t* members);

// The lanes for which the running group has to wait and that went on in the text, and not just to
// leave. They are reported when they leave the kernel and the group still waits.
Mask lanes_gone_on(const Warp& warp, Mask missing);

}  // namespace lanescope::simt
