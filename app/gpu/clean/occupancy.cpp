#include "gpu/clean/occupancy.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/number_text.h"

namespace lanescope::gpu {

namespace {

constexpr int warp_size = 32;
constexpr int partitions = 4;        // of a multiprocessor, each with its part of the registers
constexpr int register_unit = 256;   // registers are allocated to warps in this unit
constexpr int no_limit = 1'000'000;  // more blocks than any multiprocessor holds
constexpr int first_with_128_byte_unit = 80;

template <class Number>
std::string number(Number value) {
    return grouped(static_cast<std::uint64_t>(value));
}

template <class Number>
Number round_up(Number value, Number unit) {
    return (value + unit - 1) / unit * unit;
}

int warps_of(const BlockNeeds& needs) {
    return (needs.threads + warp_size - 1) / warp_size;
}

OccupancyLimit by_threads(const MultiprocessorLimits& limits, const BlockNeeds& needs) {
    const int warps = limits.threads / warp_size, of_block = warps_of(needs);
    return {"threads", number(warps) + " warps / " + number(of_block) + " of a block", warps / of_block};
}

OccupancyLimit by_registers(const MultiprocessorLimits& limits, const BlockNeeds& needs) {
    const int plain = needs.registers_per_thread * warp_size, of_warp = round_up(plain, register_unit);
    if (of_warp == 0) return {"registers", "none", no_limit};
    const int of_partition = limits.registers / partitions, warps = of_partition / of_warp * partitions;
    std::string words = number(needs.registers_per_thread) + " × 32 = " + number(plain) + " of a warp";
    if (of_warp != plain) words += ", rounded up to " + number(of_warp);
    words += "; 4 × (" + number(of_partition) + " / " + number(of_warp) + ") = " + number(warps) +
             " warps / " + number(warps_of(needs)) + " of a block";
    return {"registers", words, warps / warps_of(needs)};
}

OccupancyLimit by_shared_memory(const MultiprocessorLimits& limits, const BlockNeeds& needs) {
    const std::uint64_t unit = limits.compute_capability >= first_with_128_byte_unit ? 128 : 256;
    const std::uint64_t of_block = round_up(needs.shared_bytes + limits.reserved_shared_bytes, unit);
    if (of_block == 0) return {"shared_memory", "none", no_limit};
    std::string words = number(needs.shared_bytes) + " bytes";
    if (limits.reserved_shared_bytes > 0)
        words += " + " + number(limits.reserved_shared_bytes) + " of the system";
    if (of_block != needs.shared_bytes + limits.reserved_shared_bytes)
        words += ", rounded up to " + number(of_block);
    words += "; " + number(limits.shared_bytes) + " / " + number(of_block);
    return {"shared_memory", words, static_cast<int>(limits.shared_bytes / of_block)};
}

}  // namespace

std::vector<OccupancyLimit> occupancy_limits(const MultiprocessorLimits& limits, const BlockNeeds& needs) {
    return {by_threads(limits, needs),
            {"blocks", "at most " + number(limits.blocks), limits.blocks},
            by_registers(limits, needs),
            by_shared_memory(limits, needs)};
}

std::string limiter_words(const std::string& limiter) {
    if (limiter == "shared_memory") return "shared memory";
    if (limiter == "blocks") return "the number of blocks";
    return limiter;
}

Occupancy occupancy_of(const MultiprocessorLimits& limits, const BlockNeeds& needs) {
    const std::vector<OccupancyLimit> all = occupancy_limits(limits, needs);
    const auto least = std::min_element(all.begin(), all.end(),
                                        [](const auto& a, const auto& b) { return a.blocks < b.blocks; });
    Occupancy occupancy;
    occupancy.most_warps = limits.threads / warp_size;
    occupancy.limiter = least->name;
    occupancy.blocks_per_sm = least->blocks;
    occupancy.warps = occupancy.blocks_per_sm * warps_of(needs);
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
