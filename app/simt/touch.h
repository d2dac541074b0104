// What a turn did that other threads can tell. Two turns of different threads may change places without
// changing anything unless they depend on each other: they touch the same bytes and one writes, both print,
// both use the heap, or both count at the same named barrier.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::simt {

struct Touch {
    enum class Place : std::uint8_t { global, shared, barrier, console, heap };
    Place place = Place::global;
    bool writes = false;
    std::uint32_t block = 0;   // of shared memory and barriers
    std::uint64_t offset = 0;  // byte of the state space, or number of the barrier
    std::uint32_t size_bytes = 1;

    bool operator==(const Touch&) const = default;
};
using Touches = std::vector<Touch>;

inline bool depend(const Touch& a, const Touch& b) {
    return (a.writes || b.writes) && a.place == b.place && a.block == b.block &&
           a.offset < b.offset + b.size_bytes && b.offset < a.offset + a.size_bytes;
}

inline bool depend(std::span<const Touch> a, std::span<const Touch> b) {
    return std::any_of(a.begin(), a.end(), [&](const Touch& x) {
        return std::any_of(b.begin(), b.end(), [&](const Touch& y) { return depend(x, y); });
    });
}

inline bool writes(std::span<const Touch> touches) {
    return std::any_of(touches.begin(), touches.end(), [](const Touch& touch) { return touch.writes; });
}

}  // namespace lanescope::simt
