// An mbarrier object (PTX ISA 9.7.13.15): a phase, the arrivals that the phase still awaits, the arrivals
// that the next one will await, and the bytes of asynchronous copies that are under way.
//
// The 64 bits in shared memory are opaque to programs. Here: pending arrivals in bits 0-19, arrivals of the
// next phase in bits 20-39, the byte count plus 2^20 in bits 40-60, a one in bit 61, the phase in bit 63.
#pragma once

#include <cstdint>

namespace lanescope {

struct Mbarrier {
    static constexpr std::uint32_t max_arrivals = (1u << 20) - 1;
    static constexpr std::int64_t max_bytes = (1 << 20) - 1;

    std::uint32_t pending = 0;
    std::uint32_t expected = 0;
    std::int64_t bytes = 0;  // tx-count
    bool phase = false;

    static bool is_object(std::uint64_t word) { return (word >> 61 & 3) == 1; }
    static Mbarrier unpack(std::uint64_t word) {
        constexpr std::uint64_t twenty = (1u << 20) - 1, twenty_one = (1u << 21) - 1;
        return {static_cast<std::uint32_t>(word & twenty), static_cast<std::uint32_t>(word >> 20 & twenty),
                static_cast<std::int64_t>(word >> 40 & twenty_one) - (1 << 20), (word >> 63) != 0};
    }
    std::uint64_t pack() const {
        return pending | std::uint64_t{expected} << 20 | static_cast<std::uint64_t>(bytes + (1 << 20)) << 40 |
               1ull << 61 | std::uint64_t{phase} << 63;
    }

    bool complete() const { return pending == 0 && bytes == 0; }
    // The next phase begins when nothing is awaited any more.
    void settle() {
        if (!complete()) return;
        phase = !phase;
        pending = expected;
    }
};

}  // namespace lanescope
