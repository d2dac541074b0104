// Sets of lanes by a test of 8-byte numbers, in arithmetic that every vector unit has.
#pragma once

#include <array>
#include <cstdint>

#include "simt/memory/lanes.h"

namespace lanescope::simt {

// The lanes for which bit 63 of value(lane) is set.
template <class F>
inline Mask lanes_with_sign(F value) {
    static constexpr auto bit_of = [] {
        std::array<std::uint64_t, warp_size> bits{};
        for (unsigned lane = 0; lane < warp_size; ++lane)
            bits[lane] = std::uint64_t{1} << lane;
        return bits;
    }();
    std::uint64_t mask = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        mask |= (0 - (value(lane) >> 63)) & bit_of[lane];
    return static_cast<Mask>(mask);
}

}  // namespace lanescope::simt
