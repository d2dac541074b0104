// Clusters (PTX ISA 9.7.9.23-24, 9.7.13.4). Cache policies, which have no effect.
#include "simt/exec/executors.h"
#include "simt/program/frame_layout.h"
#include "simt/state/block.h"
#include "simt/state/cluster.h"
#include "simt/state/control.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Op;

namespace {

template <class L>
void map_address(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* rank = warp.row<std::uint32_t>(decoded.b);
    auto* out = warp.row<L>(decoded.dst);
    for_each_lane(mask, [&](unsigned lane) {
        const std::uint64_t address = decoded.narrow_address ? warp.row<std::uint32_t>(decoded.a)[lane]
                                                             : warp.row<std::uint64_t>(decoded.a)[lane];
        const std::uint64_t own = address + static_cast<std::uint64_t>(decoded.imm),
                            blocks = warp.run->cluster.count();
        constexpr std::uint64_t bits = std::uint64_t{0xff} << cluster_rank_shift;
        if (rank[lane] >= blocks)
            report(warp, trace::ProblemKind::trap, warp.run->pc_of(decoded), lane_bit(lane),
                   "mapped an address to block " + std::to_string(rank[lane]) + " of a cluster of " +
                       (blocks == 1 ? "one block" : std::to_string(blocks) + " blocks"));
        const bool is_mapped = blocks > 1 && rank[lane] < blocks;
        out[lane] = static_cast<L>(
            is_mapped ? (own & ~bits) | (std::uint64_t{rank[lane]} + 1) << cluster_rank_shift : own);
    });
}

// The rank of the block to which an address in shared memory belongs.
void give_rank(Warp& warp, const Decoded& decoded, Mask mask) {
    auto* out = warp.row<std::uint32_t>(decoded.dst);
    const auto* own = reinterpret_cast<const std::uint32_t*>(
        warp.block->rows() + static_cast<std::size_t>(BlockRow::cluster_ctarank) * row4_bytes);
    for_each_lane(mask, [&](unsigned lane) {
        const std::uint64_t address = decoded.narrow_address ? warp.row<std::uint32_t>(decoded.a)[lane]
                                                             : warp.row<std::uint64_t>(decoded.a)[lane];
        const auto bits = static_cast<std::uint32_t>(
            (address + static_cast<std::uint64_t>(decoded.imm)) >> cluster_rank_shift & 0xff);
        out[lane] = bits == 0 ? own[lane] : bits - 1;
    });
}

template <class L>
void give_zero(Warp& warp, const Decoded& decoded, Mask mask) {
    auto* out = warp.row<L>(decoded.dst);
    for_each_lane(mask, [&](unsigned lane) { out[lane] = 0; });
}

void arrive_at_cluster(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    record_sync(warp, decoded, trace::SyncKind::arrive, mask, cluster_barrier);
    Block& block = *warp.block;
    block.barriers[cluster_barrier].waiting[warp.number] |= mask;
    block.past_cluster[warp.number] &= ~mask;
    block.barriers_changed = true;
    block.used_barriers |= 1u << cluster_barrier;
    if (block.cluster != nullptr || block.barriers[cluster_barrier].complete(block.live()))
        block.open_barriers();
}

void wait_for_cluster(Warp& warp, const Decoded& decoded, Mask mask) {
    if (mask == 0) return;
    Mask& past = warp.block->past_cluster[warp.number];
    record_sync(warp, decoded, trace::SyncKind::wait, mask, cluster_barrier);
    const Mask stay = mask & ~past;
    past &= ~mask;
    if (stay == 0) return;
    if (stay != warp.active) warp.split(warp.active & ~stay, warp.pc, warp.frame);
    Group& group = warp.groups[warp.current];
    group.state = GroupState::at_barrier;
    group.barrier = static_cast<std::uint8_t>(cluster_barrier);
    group.wait_pc = warp.run->pc_of(decoded);
    warp.signal = Signal::barrier;
}

}  // namespace

Exec select_map_address(const Instruction& instruction, bool) {
    return is_wide(instruction.type()) ? &map_address<std::uint64_t> : &map_address<std::uint32_t>;
}
Exec select_rank(const Instruction&, bool) {
    return &give_rank;
}
Exec select_policy(const Instruction&, bool) {
    return &give_zero<std::uint64_t>;
}
Exec select_cluster_arrive(const Instruction&, bool) {
    return &arrive_at_cluster;
}
Exec select_cluster_wait(const Instruction&, bool) {
    return &wait_for_cluster;
}

}  // namespace lanescope::simt
