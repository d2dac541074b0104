// The stage in words: what a person reads from its cells, marks and arrows.
#pragma once

#include <string>

#include "scene/stage/stage_model.h"

namespace lanescope::scene {

// One line for each array and each row of its cells in sight, then one for each arrow:
//
//   s: shared · 256 B
//     0: 3→8:w 5 8:r ?:w ·          3→8: before and after the step; ?: not revealed; ·: no value
//   s[2] → s[0] t0                  what moves, by which thread
//
// After a cell's value stands what the step does to it: w writes, r reads, a updates atomically; ! bank
// conflict, * race; ~ not read again. Arrays whose cells are too small for text have a summary.
std::string stage_words(const StageModel& model);

}  // namespace lanescope::scene
