// Reduces a picture to at most 256 colours by median cut (Heckbert 1982) over the colours that occur.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace lanescope::image {

using Rgb = std::array<std::uint8_t, 3>;

class Palette {
  public:
    // `pixels` are 0xRRGGBB. The palette is exact if they have at most `most` colours.
    Palette(std::span<const std::uint32_t> pixels, std::size_t most);

    const std::vector<Rgb>& colours() const { return colours_; }
    // `pixel` must be one of the pixels given to the constructor.
    std::uint8_t nearest(std::uint32_t pixel) const { return numbers_.at(pixel); }

  private:
    void assign(const std::vector<std::uint32_t>& occurring);

    std::vector<Rgb> colours_;
    std::unordered_map<std::uint32_t, std::uint8_t> numbers_;
};

}  // namespace lanescope::image
