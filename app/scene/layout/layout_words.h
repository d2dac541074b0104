// The figure of a layout in words.
#pragma once

#include <string>

#include "scene/layout/layout_figure.h"

namespace lanescope::scene {

// What each grid is, then its first rows:
//
//   s holds 32×32 of in: row-major, stride 32; bank by row of in, column
//     0: 0 1 2 3 …                        the texts of a row, [accessed], [conflict!]
std::string layout_words(const LayoutFigure& figure);

}  // namespace lanescope::scene
