// Shapes of arrows on a draw list; shared by the stage and the warps view.
#pragma once

#include <imgui.h>

namespace lanescope::ui {

struct ArrowLook {
    ImU32 line = 0, head = 0;
    float width_px = 1.5f;
    float head_px = 5;
};

// Over a row: from the top of one cell to the top of another, `height` px high.
void draw_arc(ImDrawList* draw, ImVec2 from, ImVec2 to, float height_px, const ArrowLook& look);
// Between rows: leaves and arrives vertically.
void draw_curve(ImDrawList* draw, ImVec2 from, ImVec2 to, const ArrowLook& look);
// Between arrays side by side: leaves and arrives horizontally.
void draw_sideways(ImDrawList* draw, ImVec2 from, ImVec2 to, const ArrowLook& look);
// A wide arrow between two horizontal edges, for many parallel links.
struct Edge {
    float left = 0, right = 0, y = 0;
    float middle() const { return (left + right) / 2; }
};
void draw_band(ImDrawList* draw, const Edge& from, const Edge& to, const ArrowLook& look);
// A line with short ends that says "all of these cells"; `tick` px down to them.
void draw_bracket(ImDrawList* draw, const Edge& edge, float tick_px, ImU32 colour, float width_px);

}  // namespace lanescope::ui
