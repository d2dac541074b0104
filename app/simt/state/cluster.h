// A cluster of several resident blocks: its barrier, and addresses in the shared memory of its blocks.
//
// Inaccuracy: on a GPU the address that mapa gives, and the order of the blocks in a cluster on its
// multiprocessors, are others.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace lanescope::simt {

struct Block;
struct Warp;

// A mapped address has the block's rank, from 1 on, in the bits above what one block's shared memory needs.
constexpr unsigned cluster_rank_shift = 24;
constexpr std::uint32_t most_cluster_blocks = 16;

struct Cluster {
    std::vector<Block*> blocks;  // by rank; all are resident until the last one has ended
    bool finished() const;
    // Opens the barrier if all threads of all blocks have arrived. Returns whether it opened.
    bool open_barrier();
};

// Where a block is: clusters lie in the grid as their first blocks do, and ranks count along x first.
struct ClusterPlace {
    trace::Dim3 cluster, block;  // in the grid of clusters, in the cluster
    std::uint32_t rank = 0;
};
ClusterPlace place_in_cluster(const trace::Dim3& position, const trace::Dim3& cluster);
// The index of the n-th block, if blocks are counted cluster by cluster.
std::uint64_t nth_block(std::uint64_t n, const trace::Dim3& grid, const trace::Dim3& cluster);

// Shared memory as a lane addresses it: the block, and the generic address in its own window.
struct SharedPlace {
    Block* block;  // null: the address names no block of the cluster
    std::uint64_t address;
};
// Both take a generic address in the window of shared memory.
bool is_mapped(std::uint64_t address);
SharedPlace shared_place(const Warp& warp, std::uint64_t address);

}  // namespace lanescope::simt
