// What executors of several families share.
#pragma once

#include "simt/program/program.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

// Whether all 32 lanes of the warp stand at the instruction, which needs them all. If not, the group waits;
// when some of the lanes do not exist any more, that is reported and those that do go on.
bool whole_warp_present(Warp& warp, const Decoded& decoded, Mask mask);

// Copies a parameter of the entered function to its local memory.
void copy_parameter(Warp& warp, std::uint32_t pc, const Slot& slot, std::uint32_t offset);

}  // namespace lanescope::simt
