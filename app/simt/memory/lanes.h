// Sets of lanes of one warp.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "trace/trace.h"

namespace lanescope::simt {

using trace::Mask;
using trace::warp_size;

constexpr Mask all_lanes = ~Mask{0};

constexpr bool has_lane(Mask mask, unsigned lane) {
    return (mask >> lane & 1) != 0;
}
constexpr Mask lane_bit(unsigned lane) {
    return Mask{1} << lane;
}
// Written out, because std::popcount() is a library call if the processor's instruction must not be used;
// otherwise compilers recognise this pattern.
constexpr unsigned lane_count(Mask mask) {
    mask -= mask >> 1 & 0x55555555u;
    mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
    return ((mask + (mask >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
constexpr unsigned first_lane(Mask mask) {
    return static_cast<unsigned>(std::countr_zero(mask));
}
// Lanes 0 … count-1.
constexpr Mask lanes_below(unsigned count) {
    return count >= warp_size ? all_lanes : lane_bit(count) - 1;
}

template <class Visit>
inline void for_each_lane(Mask mask, Visit visit) {
    for (; mask != 0; mask &= mask - 1)
        visit(first_lane(mask));
}

// "thread 5", "threads 0-15, 20": thread numbers of the lanes of the warp that starts at `first_thread`.
std::string threads_text(Mask mask, std::uint32_t first_thread);

}  // namespace lanescope::simt
