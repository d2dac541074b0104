// One turn: the group of a warp that is due runs up to the end of its source step, or to what ends it sooner.
#pragma once

#include <cstddef>

namespace lanescope::simt {

struct Warp;

// The group must be able to run.
void run_turn(Warp& warp, std::size_t group);

}  // namespace lanescope::simt
