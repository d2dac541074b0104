// The warps of a step in words.
#pragma once

#include <string>

#include "scene/warps/warps_model.h"

namespace lanescope::scene {

// Two lines for the warp and one for each value that moves between its lanes:
//
//   warp 0: 2/32 · line 33 · 30 lanes wait for line 30: the branch on line 32 split this warp
//     72→143:a 5:w 11:w                   before and after the step; a: acts, e: only evaluates a condition,
//                                         w: waits for others, b: at a barrier, s: at a warp's barrier,
//                                         f: finished, x: faulted; else ready
//   lane 1 → lane 0 t0
std::string warp_words(const ShownWarp& warp, std::uint32_t number, const session::StepState& step_state);

}  // namespace lanescope::scene
