// Draws the roofline of a topic: a dot for each file below the ceilings of the GPU, names in a column beside
// them.
#pragma once

#include "scene/inspector/roofline_plot.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// Draws the plot into the box; a click on a dot or its name opens the file.
void draw_roofline(const Rect& box, const scene::RooflinePlot& plot, const WindowState& window,
                   Requests& requests);

}  // namespace lanescope::ui
