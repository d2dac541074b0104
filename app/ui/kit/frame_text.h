// What a frame draws, as text: where each piece of text, box, line and picture stands, and what its colour
// means. Tests compare it with what they expect; a person can read why a picture differs.
#pragma once

#include <imgui.h>

#include <span>
#include <string>

#include "ui/kit/widget_log.h"

namespace lanescope::ui {

// Panel by panel in the order in which they are drawn: first the text, then all else, by look and row:
//
//   panel stage
//     text 260,81 61x17 text mono "s[64]"                     its box in pixels, colour and font; "clipped":
//                                                             a part is cut off. ', 288 "7"' may follow: more
//                                                             text in this look on this line, further right
//     box 26x26 active active_edge at y 104, x 260 ×32 +28    a cell's fill and edge; 32 of them, 28 px apart
//     shape 40x12 read_edge at y 90, x 300, 520               a line, a curve, a polygon: the box around it
//     picture 640x480 at y 50, x 10                           a texture
//
// Colours have the names of Theme's members, with "/N" for an opacity of N %; others are #rrggbb. Made from
// what Dear ImGui hands to the graphics card, so nothing that is drawn can be missing. Since Dear ImGui 1.92
// the atlas is not known here any more: letters are shapes then.
std::string frame_text(const ImDrawData& drawn);

// The names and places of a frame's widgets, one line each: "widget 620,812 26x26 transport/play".
std::string widget_text(std::span<const NamedPlace> places);

}  // namespace lanescope::ui
