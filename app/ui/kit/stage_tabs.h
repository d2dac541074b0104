// The tabs of the panel in the middle.
#pragma once

#include "ui/kit/view.h"

namespace lanescope::ui {

// Adds the tabs "Stage", "Threads" and "Flow" at the beginning of the heading; a click changes the tab.
void stage_tabs(Heading& heading, const WindowState& window, Requests& requests);

}  // namespace lanescope::ui
