// One turn: the group of a warp that is due runs up to the end of its source step, or to what ends it sooner.
#pragma once

namespace lanescope::simt {

struct Warp;

// The warp must be runnable.
void run_turn(Warp& warp);

}  // namespace lanescope::simt
