// The tabs of the panel in the middle.
#pragma once

#include "ui/kit/view.h"

namespace lanescope::ui {

// The words "Stage" and "Threads" at the beginning of the heading: click to change the tab.
void stage_tabs(Heading& heading, const WindowState& window, Requests& requests);

}  // namespace lanescope::ui
