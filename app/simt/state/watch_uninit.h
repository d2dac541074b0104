// Keeps masks of lanes whose register was never set, and reports harmful uses of such values; see uninit.h.
#pragma once

#include "simt/inspect/uninit.h"
#include "simt/memory/lanes.h"
#include "simt/program/program.h"

namespace lanescope::simt {

struct Frame;

// Replaces the executors of instructions that need it by executors that watch.
void watch_uninit(UninitProgram found, Program& program);

// Lanes enter a frame: what they hold there was never set, but their arguments were until the call says
// otherwise.
void begin_uninit(const DecodedFunction& function, const Frame& frame, Mask lanes);

// Returns the executor of an instruction, whether it is watched or not.
Exec executor_of(const Warp& warp, const Decoded& decoded);

}  // namespace lanescope::simt
