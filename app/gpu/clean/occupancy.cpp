#include "gpu/clean/occupancy.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace lanescope::gpu {

namespace {

constexpr int warp_size = 32;
constexpr int partitions = 4;        // of a multiprocessor, each with its part of the registers
constexpr int register_unit = 256;   // registers are allocated to warps in this unit
constexpr int no_limit = 1'000'000;  // more blocks than any multiprocessor holds
constexpr int first_with_128_byte_unit = 80;

template <class Number>
Number round_up(Number value, Number unit) {
    return (value + unit - 1) / unit * unit;
}

int blocks_by_registers(const MultiprocessorLimits& limits, const BlockNeeds& needs, int block_warps) {
    const int of_warp = round_up(needs.registers_per_thread * warp_size, register_unit);
    if (of_warp == 0) return no_limit;
    return limits.registers / partitions / of_warp * partitions / block_warps;
}

int blocks_by_shared_memory(const MultiprocessorLimits& limits, const BlockNeeds& needs) {
    const std::uint64_t unit = limits.compute_capability >= first_with_128_byte_unit ? 128 : 256;
    const std::uint64_t of_block = round_up(needs.shared_bytes + limits.reserved_shared_bytes, unit);
    if (of_block == 0) return no_limit;
    return static_cast<int>(limits.shared_bytes / of_block);
}

std::string limiter_words(const std::string& limiter) {
    if (limiter == "shared_memory") return "shared memory";
    if (limiter == "blocks") return "the number of blocks";
    return limiter;
}

}  // namespace

Occupancy occupancy_of(const MultiprocessorLimits& limits, const BlockNeeds& needs) {
    const int block_warps = (needs.threads + warp_size - 1) / warp_size;
    Occupancy occupancy;
    occupancy.most_warps = limits.threads / warp_size;
    const std::pair<const char*, int> candidates[] = {
        {"threads", occupancy.most_warps / block_warps},
        {"blocks", limits.blocks},
        {"registers", blocks_by_registers(limits, needs, block_warps)},
        {"shared_memory", blocks_by_shared_memory(limits, needs)}};
    const auto least = std::min_element(std::begin(candidates), std::end(candidates),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    occupancy.limiter = least->first;
    occupancy.blocks_per_sm = least->second;
    occupancy.warps = occupancy.blocks_per_sm * block_warps;
    return occupancy;
}

bool LaunchOccupancy::same_as(const LaunchOccupancy& other) const {
    const auto key = [](const LaunchOccupancy& each) {
        return std::tie(each.kernel, each.block.threads, each.block.registers_per_thread,
                        each.block.shared_bytes, each.occupancy.blocks_per_sm);
    };
    return key(*this) == key(other);
}

void add_launch(std::vector<LaunchOccupancy>& all, LaunchOccupancy launch) {
    const auto equal = std::find_if(all.begin(), all.end(),
                                    [&](const LaunchOccupancy& each) { return each.same_as(launch); });
    if (equal != all.end())
        equal->launches += launch.launches;
    else
        all.push_back(std::move(launch));
}

std::string occupancy_text(const LaunchOccupancy& launch) {
    const Occupancy& o = launch.occupancy;
    return launch.kernel + ": " + std::to_string(o.blocks_per_sm) +
           (o.blocks_per_sm == 1 ? " block of " : " blocks of ") + std::to_string(launch.block.threads) +
           " threads on a multiprocessor, " + std::to_string(o.warps) + " of " +
           std::to_string(o.most_warps) + " warps (" + std::to_string(std::lround(100 * o.share())) +
           " %), limited by " + limiter_words(o.limiter) + "; " +
           std::to_string(launch.block.registers_per_thread) + " registers a thread, " +
           std::to_string(launch.block.shared_bytes) + " bytes of shared memory a block";
}

}  // namespace lanescope::gpu
