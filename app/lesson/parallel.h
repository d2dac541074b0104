// Spreads loops over the elements of large buffers over the cores. Otherwise preparing and checking a file
// with 2^28 elements takes longer than a person waits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace lanescope::lesson {

// Calls part(first, last) for ranges that together form [0, count), on several threads if there is enough
// work. The parts must be independent of each other.
template <class Part>
void in_parts(std::uint64_t count, const Part& part, std::uint64_t least = 1u << 17) {
    const std::uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
    const std::uint64_t parts =
        std::clamp<std::uint64_t>(count / std::max<std::uint64_t>(least, 1), 1, cores);
    const std::uint64_t share = (count + parts - 1) / parts;
    std::vector<std::jthread> threads;
    for (std::uint64_t first = share; first < count; first += share)
        threads.emplace_back([&part, first, last = std::min(count, first + share)] { part(first, last); });
    part(std::uint64_t{0}, std::min(count, share));
}

template <class Each>
void for_each_index(std::uint64_t count, const Each& each) {
    in_parts(count, [&](std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t i = first; i < last; ++i)
            each(i);
    });
}

}  // namespace lanescope::lesson
