// Keeps masks of lanes whose register was never set, and reports what such a value reaches; see uninit.h.
#pragma once

#include "simt/inspect/uninit.h"
#include "simt/memory/lanes.h"
#include "simt/program/program.h"

namespace lanescope::simt {

struct Frame;

// Puts an executor that watches in front of the instructions that need it.
void watch_uninit(UninitProgram found, Program& program);

// Lanes enter a frame: what they hold there was never set, but their arguments were until the call says
// otherwise.
void begin_uninit(const DecodedFunction& function, const Frame& frame, Mask lanes);

// What an instruction does, whether it is watched or not.
Exec executor_of(const Warp& warp, const Decoded& decoded);

}  // namespace lanescope::simt
