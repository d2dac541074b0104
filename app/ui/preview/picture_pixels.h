// Images as pixels of the screen.
#pragma once

#include <cstdint>
#include <vector>

#include "image/image.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

using Samples = std::vector<std::uint16_t>;  // height × width × channels

// The place of an image on the screen: the corner of image pixel (x, y) is at `origin` + scale · (x, y).
struct ImagePlace {
    ImVec2 origin{};
    float scale = 1;  // screen pixels per image pixel
    ImVec2 to_screen(float x, float y) const { return {origin.x + scale * x, origin.y + scale * y}; }
    float x_at(float screen) const { return (screen - origin.x) / scale; }
    float y_at(float screen) const { return (screen - origin.y) / scale; }
};

struct Rgb {
    unsigned red = 0, green = 0, blue = 0;
};
// Returns the pixel's colour, over a chequered ground if the image has alpha.
Rgb colour_at(const image::Header& image, const Samples& samples, std::uint32_t x, std::uint32_t y);
// Returns the pixel's colour and ignores alpha.
ImU32 opaque_colour(const image::Header& image, const Samples& samples, std::int64_t x, std::int64_t y);

// Returns the pixels of a screen rectangle, RGBA with red in the lowest byte; pixels outside the image are
// transparent. If image pixels are smaller than screen pixels, a screen pixel is the mean of up to nine
// points.
std::vector<std::uint32_t> screen_pixels(const image::Header& image, const Samples& samples,
                                         const ImagePlace& place, const Rect& screen);

}  // namespace lanescope::ui
