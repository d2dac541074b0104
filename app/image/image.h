// A picture in main memory: rows of samples. File readers and read-backs of drawn pictures produce it,
// filters compute on it, and PNG and GIF writers take it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::image {

struct Header {
    std::uint32_t width = 0, height = 0;  // in pixels
    std::uint32_t channels = 0;           // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
    std::uint32_t bits = 8;               // of a sample: 8 or 16

    double max_level() const { return bits == 16 ? 65535 : 255; }
    bool has_alpha() const { return channels % 2 == 0; }
    std::uint64_t pixels() const { return std::uint64_t{width} * height; }
    bool operator==(const Header&) const = default;
};
std::string describe(const Header& header);  // "1024 × 832 · RGB 8 bit"

struct Image : Header {
    std::vector<std::uint16_t> samples;  // height × width × channels, top row first

    std::uint16_t at(std::uint32_t x, std::uint32_t y, std::uint32_t channel) const {
        return samples[(std::size_t{y} * width + x) * channels + channel];
    }
    // Returns whether the picture has pixels, 1 to 4 channels and all samples.
    bool is_complete() const {
        return pixels() > 0 && channels >= 1 && channels <= 4 && samples.size() == pixels() * channels;
    }
};

// Returns the same picture with 1 to 4 channels. Grey is the luma of ITU-R BT.601, (77 R + 150 G + 29 B) /
// 256. An added alpha channel is opaque; a removed one is ignored.
Image with_channels(Image image, std::uint32_t channels);

}  // namespace lanescope::image
