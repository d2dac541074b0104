// Prepares the changes by one store or atomic, lane by lane, for encoding.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "trace/events.h"
#include "trace/trace.h"

namespace lanescope::trace {

// Bytes of the value up to its highest byte that is not zero; 0 for 0.
constexpr unsigned significant_bytes(std::uint64_t value) {
    return (71 - static_cast<unsigned>(std::countl_zero(value))) / 8;
}

// Packed differences of the active lanes. Bytes that had no value count as zero before, whatever `before`
// holds. If several lanes write the same byte, a later lane finds the value that the earlier one wrote.
struct LaneChanges {
    std::array<std::uint64_t, warp_size> low{};   // bytes 0 … 7
    std::array<std::uint64_t, warp_size> high{};  // bytes 8 … 15
    std::array<std::uint16_t, warp_size> newly{};
    unsigned lanes = 0;
    unsigned bytes = 0;  // of each difference up to its last non-zero byte
    bool uniform = false;
    NewlySet form = NewlySet::nothing;
    Mask newly_mask = 0;  // if `form` is lanes

    // `distinct`: no two lanes touch the same byte.
    LaneChanges(unsigned width, Mask mask, const std::uint64_t* offsets, const std::byte* before,
                const std::byte* after, const std::uint16_t* newly_set, bool distinct);
};

}  // namespace lanescope::trace
