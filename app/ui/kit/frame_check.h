// What must hold for every frame, whatever it shows: tests look at all views in many sizes for it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ui/kit/drawn_frame.h"
#include "ui/kit/widget_log.h"

namespace lanescope::ui {

// Returns one line for each violation, "stage: 'modulo.cu' is cut at its side", each once:
// - a piece of text is in sight as a whole, or ends with an ellipsis and shows the rest to a resting mouse;
//   what a panel scrolls may be cut at its upper and lower edge;
// - no two pieces of text overlap;
// - text has at least `least_contrast`;
// - what can be clicked is at least `least_clickable_px` wide and high;
// - no panel is empty.
std::vector<std::string> frame_problems(std::span<const DrawnPanel> panels, const WidgetLog& log);

}  // namespace lanescope::ui
