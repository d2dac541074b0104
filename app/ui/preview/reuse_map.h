// The reuse map: how often the block of the chosen pixel reads each pixel, counted in its trace.
#pragma once

#include <cstdint>

#include "preview/pixel/pixel_inspector.h"
#include "ui/preview/picture_pixels.h"

namespace lanescope::ui {

// The block's pixels as cells of a square. `margin`: the run's.
void draw_reuse_cells(const preview::PixelFacts& pixel, std::uint32_t margin, const Rect& square);
// Over the picture; `numbers`: pixels are large enough for them.
void draw_reuse(const preview::PixelFacts& pixel, std::uint32_t margin, const ImagePlace& place,
                const Rect& screen, bool numbers);

}  // namespace lanescope::ui
