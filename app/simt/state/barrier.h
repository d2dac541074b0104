// One of the sixteen named barriers of a block.
#pragma once

#include <array>
#include <cstdint>

#include "simt/memory/lanes.h"

namespace lanescope::simt {

constexpr unsigned barriers_per_block = 16;
constexpr unsigned cluster_barrier = barriers_per_block;  // barrier.cluster; see Cluster
constexpr unsigned max_warps_per_block = 32;

// Which lanes of each warp of a block have not exited.
using WarpMasks = std::array<Mask, max_warps_per_block>;

struct Barrier {
    std::uint32_t expected = 0;   // threads, a multiple of 32; 0: all of the block
    std::uint32_t passed_by = 0;  // threads that arrived without waiting (bar.arrive)
    WarpMasks waiting{};
    // bar.red: over the threads that arrived
    std::uint32_t count_true = 0;
    std::uint32_t count_all = 0;

    bool idle() const;
    // A warp counts as 32 threads once all of its lanes that live have arrived; before that, lane by lane.
    std::uint32_t arrived(const WarpMasks& live) const;
    bool complete(const WarpMasks& live) const;
};

}  // namespace lanescope::simt
