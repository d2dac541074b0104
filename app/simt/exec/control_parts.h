// Functions that executors of several families share.
#pragma once

#include "simt/program/program.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

// Returns whether all 32 lanes of the warp have reached an instruction that needs them all. If not, the group
// waits. If some lanes have exited, that is reported and the others continue.
bool whole_warp_present(Warp& warp, const Decoded& decoded, Mask mask);

// Copies a parameter of the entered function to its local memory.
void copy_parameter(Warp& warp, std::uint32_t pc, const Slot& slot, std::uint32_t offset);

}  // namespace lanescope::simt
