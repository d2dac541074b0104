// Draws a figure of the flow in the places that a FlowGrid gives it.
#pragma once

#include <optional>
#include <string>

#include "ui/flow/flow_grid.h"
#include "ui/flow/flow_light.h"

namespace lanescope::ui {

struct FlowPicture {
    const FlowGrid& grid;
    const FlowLight& light;
    const WindowState& window;
    std::optional<std::uint32_t> current;  // the row of the session's step
    FlowColour colour;                     // not automatic
};

void draw_flow(const FlowPicture& picture);
// Work and depth, and what lines and colours mean.
void draw_flow_legend(const Rect& legend, const scene::FlowFigure& figure, const WindowState& window);
FlowColour resolved_flow_colour(const scene::FlowFigure& figure, const WindowState& window);
ImU32 flow_colour_of(const scene::FlowCell& cell, FlowColour colour);
// The value and the label in a box of this opaque colour.
void draw_flow_text(const Rect& box, const scene::FlowCell& cell, ImU32 surface, ImU32 colour,
                    ImU32 label_colour, const WindowState& window);

}  // namespace lanescope::ui
