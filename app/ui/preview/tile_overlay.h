// Drawn over the preview's picture: the tile of the chosen pixel's block, and the area that the block reads.
#pragma once

#include <cstdint>

#include "preview/pixel/pixel_inspector.h"
#include "ui/preview/picture_pixels.h"

namespace lanescope::ui {

// `margin` is the run's.
void draw_tile(const preview::PixelInspector& inspector, std::uint32_t margin, const ImagePlace& place,
               const Rect& screen, const WindowState& window);

}  // namespace lanescope::ui
