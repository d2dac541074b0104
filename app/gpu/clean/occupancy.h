// How many blocks of a launch a multiprocessor holds at the same time, and what keeps it from holding more.
// Sources: NVIDIA, CUDA Programming Guide, "Compute Capabilities", tables of technical specifications; the
// units of allocation are those of cuda_occupancy.h in the CUDA Toolkit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::gpu {

struct MultiprocessorLimits {
    int compute_capability = 0;  // 90: 9.0
    int threads = 0, blocks = 0, registers = 0;
    std::uint64_t shared_bytes = 0;
    std::uint64_t reserved_shared_bytes = 0;  // of each block, for the system
};

struct BlockNeeds {
    int threads = 0;
    int registers_per_thread = 0;
    std::uint64_t shared_bytes = 0;  // static and dynamic
};

struct Occupancy {
    int blocks_per_sm = 0;
    int warps = 0, most_warps = 0;
    // What is exhausted first: "threads", "blocks", "registers", "shared_memory"; of several the first of
    // these.
    std::string limiter;

    double share() const { return most_warps > 0 ? static_cast<double>(warps) / most_warps : 0; }
};

// How many blocks one limit allows, and how that is computed.
struct OccupancyLimit {
    std::string name;        // "threads", "blocks", "registers", "shared_memory"
    std::string arithmetic;  // "233 472 bytes / (16 384 + 1 024 of the system)"
    int blocks = 0;
};
// All four, in the order of their names above. The block has at least one thread.
std::vector<OccupancyLimit> occupancy_limits(const MultiprocessorLimits& limits, const BlockNeeds& needs);
// "threads", "shared memory", "the number of blocks"
std::string limiter_words(const std::string& name);

// The block has at least one thread.
Occupancy occupancy_of(const MultiprocessorLimits& limits, const BlockNeeds& needs);

// The occupancy of equal launches of one kernel.
struct LaunchOccupancy {
    std::string kernel;          // as the launch names it
    std::uint64_t launches = 1;  // of this kernel with this block
    BlockNeeds block;
    Occupancy occupancy;

    bool same_as(const LaunchOccupancy& other) const;  // all but the number of launches
};

// Adds to the equal launches, or as the last entry.
void add_launch(std::vector<LaunchOccupancy>& all, LaunchOccupancy launch);

// "reduce: 8 blocks of 256 threads on a multiprocessor, 64 of 64 warps (100 %), limited by threads; …"
std::string occupancy_text(const LaunchOccupancy& launch);

}  // namespace lanescope::gpu
