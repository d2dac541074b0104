#include "ui/preview/picture_pixels.h"

#include "lesson/parallel.h"

namespace lanescope::ui {

namespace {

Rgb levels_at(const image::Header& image, const Samples& samples, std::size_t pixel) {
    const unsigned shift = image.bits == 16 ? 8 : 0;
    const auto level = [&](std::uint32_t channel) {
        return static_cast<unsigned>(samples[pixel * image.channels + channel] >> shift);
    };
    if (image.channels >= 3) return {level(0), level(1), level(2)};
    return {level(0), level(0), level(0)};
}

// Returns the mean of up to taps × taps points of the image under one pixel of the screen.
std::uint32_t screen_pixel(const image::Header& image, const Samples& samples, float left, float top,
                           float step, int taps) {
    unsigned red = 0, green = 0, blue = 0, count = 0;
    for (int i = 0; i < taps * taps; ++i) {
        const float inner_x = (static_cast<float>(i % taps) + 0.5f) / static_cast<float>(taps);
        const float inner_y = (static_cast<float>(i / taps) + 0.5f) / static_cast<float>(taps);
        const float x = left + inner_x * step, y = top + inner_y * step;
        if (x < 0 || y < 0 || x >= static_cast<float>(image.width) || y >= static_cast<float>(image.height))
            continue;
        const Rgb colour =
            colour_at(image, samples, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
        red += colour.red, green += colour.green, blue += colour.blue, ++count;
    }
    return count == 0 ? 0 : IM_COL32(red / count, green / count, blue / count, 255);
}

}  // namespace

Rgb colour_at(const image::Header& image, const Samples& samples, std::uint32_t x, std::uint32_t y) {
    const std::size_t pixel = std::size_t{y} * image.width + x;
    const Rgb colour = levels_at(image, samples, pixel);
    if (!image.has_alpha()) return colour;
    const std::uint16_t opacity = samples[(pixel + 1) * image.channels - 1];
    const unsigned alpha = image.bits == 16 ? opacity >> 8 : opacity, ground = (x / 8 + y / 8) % 2 ? 60 : 90;
    const auto over = [&](unsigned value) { return (value * alpha + ground * (255 - alpha)) / 255; };
    return {over(colour.red), over(colour.green), over(colour.blue)};
}

ImU32 opaque_colour(const image::Header& image, const Samples& samples, std::int64_t x, std::int64_t y) {
    const Rgb colour =
        levels_at(image, samples, static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x));
    return IM_COL32(colour.red, colour.green, colour.blue, 255);
}

std::vector<std::uint32_t> screen_pixels(const image::Header& image, const Samples& samples,
                                         const ImagePlace& place, const Rect& screen) {
    const auto width = static_cast<std::size_t>(screen.width),
               height = static_cast<std::size_t>(screen.height);
    std::vector<std::uint32_t> pixels(width * height, 0);
    const float step = 1 / place.scale;
    const int taps = place.scale >= 1 ? 1 : place.scale >= 0.5f ? 2 : 3;
    lesson::in_parts(
        height,
        [&](std::uint64_t first, std::uint64_t end) {
            for (std::uint64_t row = first; row < end; ++row)
                for (std::size_t column = 0; column < width; ++column)
                    pixels[row * width + column] =
                        screen_pixel(image, samples, place.x_at(screen.x + static_cast<float>(column)),
                                     place.y_at(screen.y + static_cast<float>(row)), step, taps);
        },
        64);
    return pixels;
}

}  // namespace lanescope::ui
