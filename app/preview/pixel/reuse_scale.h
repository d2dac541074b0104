// How often pixels of a block's tile are read: from shared memory, or, if no value is followed there, from
// global memory.
#pragma once

#include <cstdint>
#include <vector>

#include "preview/run/sample.h"

namespace lanescope::preview {

struct ReuseScale {
    bool shared = false;
    std::uint32_t min = 0, max = 0;

    explicit ReuseScale(const std::vector<Reuse>& reuse);
    std::uint32_t reads(const Reuse& pixel) const { return shared ? pixel.shared : pixel.global; }
    float share(const Reuse& pixel) const;  // relative to the pixel that is read most: 0 … 1
};

}  // namespace lanescope::preview
