// Pictures to convolve: PNG, JPEG and BMP files of 8 or 16 bits, and their way back into a PNG file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope::preview {

inline constexpr std::uint32_t max_image_side = 8192;

struct ImageHeader {
    std::uint32_t width = 0, height = 0;
    std::uint32_t channels = 0;  // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
    std::uint32_t bits = 8;      // of a sample: 8 or 16

    double max_level() const { return bits == 16 ? 65535 : 255; }
    bool has_alpha() const { return channels % 2 == 0; }
    std::uint64_t pixels() const { return std::uint64_t{width} * height; }
    bool operator==(const ImageHeader&) const = default;
};
std::string describe(const ImageHeader& header);  // "1024 × 832 · RGB 8 bit"

struct Image : ImageHeader {
    std::vector<std::uint16_t> samples;  // height × width × channels, top row first

    std::uint16_t at(std::uint32_t x, std::uint32_t y, std::uint32_t channel) const {
        return samples[(std::size_t{y} * width + x) * channels + channel];
    }
};

// What the head of a file says; nothing else is read. `name` is the file's name in errors: neither PNG, JPEG
// nor BMP; no pixels; more than 8192 a side.
Result<ImageHeader> image_header(std::string_view bytes, const std::string& name);

// The size is checked before anything of it is allocated. Errors: image_header's; a damaged file; one that
// was cut off.
Result<Image> decode_image(std::string_view bytes, const std::string& name);
Result<Image> load_image(const std::filesystem::path& path);  // also read_file's errors

// A PNG of the same channels and bits. Errors: an image without pixels.
Result<std::string> encode_png(const Image& image);
// Errors: also a name that does not end in .png; a file that cannot be written.
Result<void> save_png(const Image& image, const std::filesystem::path& path);

}  // namespace lanescope::preview
