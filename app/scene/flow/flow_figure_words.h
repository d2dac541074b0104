// The figure of a flow in words.
#pragma once

#include <string>

#include "scene/flow/flow_figure.h"

namespace lanescope::scene {

// One line for each row, and one for each cell that it writes:
//
//   stride 2: 4 of 16 lanes on
//     s[3] = 10 ← s[1] s[3], t1             what it was made of in the rows above, and which thread wrote it
std::string flow_words(const FlowFigure& figure);

}  // namespace lanescope::scene
