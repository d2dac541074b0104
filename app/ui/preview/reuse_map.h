// The reuse map: how often the block of the chosen pixel reads each pixel, counted in its trace.
#pragma once

#include <cstdint>

#include "preview/pixel/pixel_inspector.h"
#include "ui/preview/picture_pixels.h"

namespace lanescope::ui {

// Draws the block's pixels as cells of a square. `margin` is the run's.
void draw_reuse_cells(const preview::PixelFacts& pixel, std::uint32_t margin, const Rect& square);
// Draws the map over the picture. `numbers`: the pixels are large enough for numbers.
void draw_reuse(const preview::PixelFacts& pixel, std::uint32_t margin, const ImagePlace& place,
                const Rect& screen, bool numbers);

}  // namespace lanescope::ui
