// What a frame draws, as text: where each piece of text, box, line and picture stands, and what its colour
// means. Tests compare it with what they expect; a person can read why a picture differs.
#pragma once

#include <imgui.h>

#include <span>
#include <string>

#include "ui/kit/widget_log.h"

namespace lanescope::ui {

// One line for each thing that can be seen, panel by panel in the order in which they are drawn:
//
//   panel stage
//   text 260,81 61x17 text mono "s[64]"           its box in pixels; font; "clipped" when a part is cut off
//   box 260,104 26x26 active active_edge          fill and edge
//   box 260,104 26x26 active active_edge ×32 +28,0     so many alike, each so far from the one before
//   shape 300,90 40x12 read_edge                  a line, a curve, a polygon: the box around it
//   picture 10,50 640x480                         a texture
//
// Colours have the names of Theme's members, with "/N" for an opacity of N %; others are #rrggbb. Made from
// what Dear ImGui hands to the graphics card, so nothing that is drawn can be missing. Since Dear ImGui 1.92
// the atlas is not known here any more: letters are shapes then.
std::string frame_text(const ImDrawData& drawn);

// The names and places of a frame's widgets, one line each: "widget 620,812 26x26 transport/play".
std::string widget_text(std::span<const NamedPlace> places);

}  // namespace lanescope::ui
