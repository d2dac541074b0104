// A thread block while it is resident: its warps, its shared memory, its barriers.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "simt/memory/memory.h"
#include "simt/state/barrier.h"
#include "simt/state/cluster.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

struct LaunchContext;
struct BlockAsync;

struct Block {
    std::uint32_t index = 0;
    trace::Dim3 position;
    bool recorded = false;
    Region shared;
    std::vector<std::unique_ptr<Warp>> warps;
    std::array<Barrier, barriers_per_block + 1> barriers;  // the last one is the cluster's
    WarpMasks past_cluster{};  // lanes that the cluster's barrier lets pass and that have not waited yet
    std::uint32_t used_barriers = 0;    // bit per barrier at which a thread arrived and that has not opened
    bool barriers_changed = false;      // a group arrived or lanes exited since open_barriers()
    std::shared_ptr<Cluster> cluster;   // null: the block is a cluster of its own
    std::unique_ptr<BlockAsync> async;  // null until the first asynchronous copy or mbarrier object

    Block(LaunchContext& run, std::uint32_t index);
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    std::byte* rows() { return rows_.data(); }  // of special registers, see BlockRow

    // The memory that a block needs before it runs, with the stacks of its threads.
    static std::uint64_t bytes_needed(const LaunchContext& run);

    bool complete() const;  // false: memory was too short to set it up
    bool finished() const;
    WarpMasks live() const;
    // After a turn: opens the barriers that are complete. Returns whether one opened.
    bool open_barriers();
    void release_cluster_barrier();  // for Cluster

  private:
    static std::uint64_t own_bytes(const LaunchContext& run);
    void release(unsigned number);
    void note_cluster_passed();

    LaunchContext& run_;
    alignas(64) std::array<std::byte, static_cast<std::size_t>(BlockRow::count) * row4_bytes> rows_;
    std::vector<std::byte> shared_bytes_;
    std::vector<std::uint64_t> shared_set_;
    std::uint64_t budget_bytes_ = 0;
};

}  // namespace lanescope::simt
