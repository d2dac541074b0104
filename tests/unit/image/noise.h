// A noise image that is the same on every machine.
#pragma once

#include <cstdint>

#include "image/image.h"

namespace lanescope::image {

inline Image noise_image(std::uint32_t width, std::uint32_t height, std::uint32_t channels,
                         std::uint32_t bits = 8) {
    Image image{{width, height, channels, bits}, {}};
    std::uint64_t state = 12345;
    for (std::uint64_t i = 0; i < image.pixels() * channels; ++i) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        image.samples.push_back(static_cast<std::uint16_t>(state >> 40 & (bits == 16 ? 0xffff : 0xff)));
    }
    return image;
}

}  // namespace lanescope::image
