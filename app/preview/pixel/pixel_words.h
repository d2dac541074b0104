// Describes one pixel, line by line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "preview/pixel/pixel_inspector.h"
#include "preview/pixel/products.h"

namespace lanescope::preview {

// At most `digits` digits behind the point, without trailing zeros; the minus is as wide as a digit.
std::string short_number(double value, int digits);
std::string thread_place(const Run& run, std::uint32_t thread);  // "(3, 1)" in its block
const char* channel_name(const image::Image& image, std::uint32_t channel);

// How the products become the level: sums, root, rounding.
std::vector<std::string> sum_lines(const SampleParts& parts);
// How the kernel's value differs; empty: it agrees with the products.
std::string disagreement(const SampleParts& parts);
// One factor times the other, and the kernel's own product if that differs.
std::string product_lines(const MaskSum& mask, const Product& cell);
// How many threads loaded the values under the mask. `recording`: the pixel's block may still become known.
// `shared_tiles`: the kernel puts its tiles into shared memory.
std::vector<std::string> load_lines(const PixelFacts& pixel, bool recording, bool shared_tiles);
// How often the block reads the pixels of its tile.
std::vector<std::string> reuse_lines(const std::vector<Reuse>& reuse, bool shared_tiles);

}  // namespace lanescope::preview
