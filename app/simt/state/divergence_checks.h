// Barriers and operations of a warp that some lanes miss; control.h has the checks that branches and barriers
// call.
#pragma once

#include "simt/state/block.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

// A barrier of the whole block opens: reports warps that wait at another __syncthreads() than the first one,
// and warps that went past it and left the kernel. Warps that left early, before the barrier,
// are fine.
void check_barrier_places(Block& block);

// Reports lanes of an operation of the warp that their own member mask does not name. Returns true if there
// are any, because such lanes cannot wait for each other.
bool report_unnamed_lanes(Warp& warp, std::uint32_t pc, Mask lanes, const std::uint32_t* members);

// Returns the lanes that the running group must wait for and that have gone on with work. They are reported
// if they leave the kernel while the group still waits.
Mask lanes_gone_on(const Warp& warp, Mask missing);

}  // namespace lanescope::simt
