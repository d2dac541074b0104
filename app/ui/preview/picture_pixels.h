// Images as pixels of the screen.
#pragma once

#include <cstdint>
#include <vector>

#include "image/image.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

using Samples = std::vector<std::uint16_t>;  // height × width × channels

// Where an image lies on the screen: image pixel (x, y) has its corner at `origin` + scale · (x, y).
struct ImagePlace {
    ImVec2 origin{};
    float scale = 1;  // screen pixels a pixel of the image
    ImVec2 to_screen(float x, float y) const { return {origin.x + scale * x, origin.y + scale * y}; }
    float x_at(float screen) const { return (screen - origin.x) / scale; }
    float y_at(float screen) const { return (screen - origin.y) / scale; }
};

struct Rgb {
    unsigned red = 0, green = 0, blue = 0;
};
// Alpha lets a chequered ground through.
Rgb colour_at(const image::Header& image, const Samples& samples, std::uint32_t x, std::uint32_t y);
// The same without regard to alpha.
ImU32 opaque_colour(const image::Header& image, const Samples& samples, std::int64_t x, std::int64_t y);

// Pixels of a screen rectangle, RGBA with red lowest; beyond the image they are transparent. Where pixels of
// the image are smaller than the screen's, up to nine of them are averaged.
std::vector<std::uint32_t> screen_pixels(const image::Header& image, const Samples& samples,
                                         const ImagePlace& place, const Rect& screen);

}  // namespace lanescope::ui
