// What a frame consists of, as shapes that a vector format has: polygons, lines, text and images, the lowest
// first.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "image/image.h"
#include "ui/kit/drawn_frame.h"
#include "ui/kit/imgui_layer.h"
#include "ui/kit/theme.h"

namespace lanescope::ui {

// Colours are ImGui's. `to` differs from `colour` in a gradient, from left to right or from top to bottom.
struct Polygon {
    std::vector<ImVec2> corners;
    ImU32 to = 0;
    bool downwards = false;
};
struct Line {
    std::vector<ImVec2> points;
    float width = 0;
    bool closed = false;
};
struct Words {
    std::string text;
    Typeface face;
    float size = 0;  // of the em square, px
    ImVec2 begin;    // of the baseline
    float width = 0;
};
struct Raster {
    image::Image pixels;
    DrawnBox box;
};

struct Shape {
    std::variant<Polygon, Line, Words, Raster> form;
    ImU32 colour = 0;
    DrawnBox clip;         // nothing outside of it is in sight
    bool clipped = false;  // some of the shape is outside
};

// The frame must have been drawn without smooth edges (ImGuiLayer::draw_sharp), whose transparent rims no
// vector format needs. The OpenGL context must be current. Errors: a texture that cannot be read.
Result<std::vector<Shape>> shapes_of(const std::vector<DrawnPanel>& panels);

}  // namespace lanescope::ui
