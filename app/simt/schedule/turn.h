// One turn: the chosen group of a warp runs to the end of its source step, unless something ends the turn
// sooner.
#pragma once

#include <cstddef>

namespace lanescope::simt {

struct Warp;

// The group must be able to run.
void run_turn(Warp& warp, std::size_t group);

}  // namespace lanescope::simt
