// Shapes of arrows on a draw list; shared by the stage and the warps view.
#pragma once

#include <imgui.h>

namespace lanescope::ui {

struct ArrowLook {
    ImU32 line = 0, head = 0;
    float width_px = 1.5f;
    float head_px = 5;
};

// Draws an arc over a row, from the top of one cell to the top of another, `height_px` high.
void draw_arc(ImDrawList* draw, ImVec2 from, ImVec2 to, float height_px, const ArrowLook& look);
// Draws an arrow between rows; it leaves and arrives vertically.
void draw_curve(ImDrawList* draw, ImVec2 from, ImVec2 to, const ArrowLook& look);
// Draws an arrow between arrays side by side; it leaves and arrives horizontally.
void draw_sideways(ImDrawList* draw, ImVec2 from, ImVec2 to, const ArrowLook& look);
// An end of a wide arrow that stands for many parallel links.
struct Edge {
    float left = 0, right = 0, y = 0;
    float middle() const { return (left + right) / 2; }
};
void draw_band(ImDrawList* draw, const Edge& from, const Edge& to, const ArrowLook& look);
// Draws a line with short ends that means "all of these cells"; the ends are `tick_px` long.
void draw_bracket(ImDrawList* draw, const Edge& edge, float tick_px, ImU32 colour, float width_px);

}  // namespace lanescope::ui
