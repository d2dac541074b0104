// An 8-bit RGBA picture in main memory, and its way into a PNG file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.h"

namespace lanescope::render {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // height × width × 4, top row first
};

// Errors: an empty picture, or a file that cannot be written.
Result<void> write_png(const Image& image, const std::filesystem::path& path);

}  // namespace lanescope::render
