// Keeps masks of lanes whose register was never set, and reports what such a value reaches; see unset.h.
#pragma once

#include "simt/lanes.h"
#include "simt/program.h"
#include "simt/unset.h"

namespace lanescope::simt {

struct Frame;

// Puts an executor that watches in front of the instructions that need it.
void watch_unset(UnsetProgram found, Program& program);

// Lanes enter a frame: what they hold there was never set, but their arguments were until the call says
// otherwise.
void begin_unset(const DecodedFunction& function, const Frame& frame, Mask lanes);

// What an instruction does, whether it is watched or not.
Exec executor_of(const Warp& warp, const Decoded& decoded);

}  // namespace lanescope::simt
