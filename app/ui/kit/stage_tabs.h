// The tabs of the panel in the middle.
#pragma once

#include "ui/kit/view.h"

namespace lanescope::ui {

// Adds a tab for each mode at the beginning of the heading; a click changes the mode.
void stage_tabs(Heading& heading, const WindowState& window, Requests& requests);

}  // namespace lanescope::ui
