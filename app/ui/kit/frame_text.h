// A frame as text: the place of each piece of text, box, line and picture, and the meaning of its colour.
// Tests compare it with their expectation, and people can read why a picture differs.
#pragma once

#include <span>
#include <string>

#include "ui/kit/drawn_frame.h"
#include "ui/kit/widget_log.h"

namespace lanescope::ui {

// Describes each panel in the order of drawing: first its text, then the rest, by look and row:
//
//   panel stage
//     text 260,81 61x17 text mono "s[64]"                     its box in pixels, colour and font;
//                                                             "clipped": a part is cut off. ', 288 "7"' is
//                                                             more text in this look, further right
//     box 26x26 active active_edge at y 104, x 260 ×32 +28    a cell's fill and edge; 32 of them, 28 px apart
//     shape 40x12 read_edge at y 90, x 300, 520               a line, a curve, a polygon: the box around it
//     picture 640x480 at y 50, x 10                           a texture
//
// Colours have the names of Theme's members, with "/N" for an opacity of N %; other colours are #rrggbb. The
// text is made from the data that Dear ImGui passes to the graphics card, so that nothing drawn is missing.
// Dear ImGui 1.92 and later hide the atlas of letters; letters are shapes there.
std::string frame_text(std::span<const DrawnPanel> panels);

// Returns the names and places of a frame's widgets, one line each: "widget 620,812 26x26 transport/play".
std::string widget_text(std::span<const NamedPlace> places);

}  // namespace lanescope::ui
