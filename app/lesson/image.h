// PNG and JPEG images, from memory.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope::lesson {

inline constexpr std::uint64_t max_image_extent = 8192;

struct Image {
    std::uint64_t rows = 0, columns = 0;
    std::uint32_t bits = 8;             // of a value: 8, or 16 of a PNG that has them
    std::vector<std::uint16_t> pixels;  // rows × columns × channels
};

// Rows and columns. Errors: no PNG or JPEG; larger than 8192 a side.
Result<std::array<std::uint64_t, 2>> image_size(std::string_view file_bytes);

// Channels: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA; converted when the file has others. Errors: also a
// damaged file.
Result<Image> decode_image(std::string_view file_bytes, std::uint32_t channels);

}  // namespace lanescope::lesson
