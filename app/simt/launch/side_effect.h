// Effects of a turn that other threads can observe. Two turns of different threads depend on each other, and
// their order matters, if they touch the same bytes and one writes, if both print, if both use the heap, or
// if both count at the same named barrier.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::simt {

struct SideEffect {
    enum class Place : std::uint8_t { global, shared, barrier, console, heap };
    Place place = Place::global;
    bool writes = false;
    std::uint32_t block = 0;   // of shared memory and barriers
    std::uint64_t offset = 0;  // byte of the state space, or number of the barrier
    std::uint32_t size_bytes = 1;

    bool operator==(const SideEffect&) const = default;
};
using SideEffects = std::vector<SideEffect>;

inline bool depend(const SideEffect& a, const SideEffect& b) {
    return (a.writes || b.writes) && a.place == b.place && a.block == b.block &&
           a.offset < b.offset + b.size_bytes && b.offset < a.offset + a.size_bytes;
}

inline bool depend(std::span<const SideEffect> a, std::span<const SideEffect> b) {
    return std::any_of(a.begin(), a.end(), [&](const SideEffect& x) {
        return std::any_of(b.begin(), b.end(), [&](const SideEffect& y) { return depend(x, y); });
    });
}

inline bool writes(std::span<const SideEffect> effects) {
    return std::any_of(effects.begin(), effects.end(),
                       [](const SideEffect& effect) { return effect.writes; });
}

}  // namespace lanescope::simt
