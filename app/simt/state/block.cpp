#include "simt/state/block.h"

#include <algorithm>
#include <bit>

#include "simt/state/async.h"
#include "simt/state/control.h"
#include "simt/state/divergence_checks.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

namespace {

void fill_row(std::byte* rows, BlockRow row, std::uint32_t value) {
    std::fill_n(reinterpret_cast<std::uint32_t*>(rows + static_cast<std::size_t>(row) * row4_bytes),
                warp_size, value);
}

}  // namespace

Block::Block(LaunchContext& run, std::uint32_t number) : index(number), run_(run) {
    const trace::Dim3 grid = run.request.grid;
    position = {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
    fill_row(rows(), BlockRow::ctaid_x, position.x);
    fill_row(rows(), BlockRow::ctaid_y, position.y);
    fill_row(rows(), BlockRow::ctaid_z, position.z);
    fill_row(rows(), BlockRow::smid, number % multiprocessors);
    const ClusterPlace place = place_in_cluster(position, run.cluster);
    fill_row(rows(), BlockRow::clusterid_x, place.cluster.x);
    fill_row(rows(), BlockRow::clusterid_y, place.cluster.y);
    fill_row(rows(), BlockRow::clusterid_z, place.cluster.z);
    fill_row(rows(), BlockRow::cluster_ctaid_x, place.block.x);
    fill_row(rows(), BlockRow::cluster_ctaid_y, place.block.y);
    fill_row(rows(), BlockRow::cluster_ctaid_z, place.block.z);
    fill_row(rows(), BlockRow::cluster_ctarank, place.rank);
    recorded = run.recorder != nullptr && run.recorder->records(number);
    if (!run.budget.take(own_bytes(run))) return;  // not complete
    budget_bytes_ = own_bytes(run);
    shared_bytes_.resize(run.shared_bytes);
    shared_set_.resize((run.shared_bytes + 63) / 64);
    shared = {window::shared, run.shared_bytes, shared_bytes_.data(), shared_set_.data(), run.shared_bytes};
    const std::uint64_t threads = run.request.block.count();
    for (std::uint64_t first = 0; first < threads; first += warp_size) {
        const auto lanes = static_cast<unsigned>(std::min<std::uint64_t>(threads - first, warp_size));
        warps.push_back(std::make_unique<Warp>(run, *this, static_cast<std::uint32_t>(first / warp_size),
                                               lanes_below(lanes)));
    }
}

Block::~Block() {
    run_.budget.give(budget_bytes_);
}

// Shared memory with its set bits, and what the block and its warps are made of.
std::uint64_t Block::own_bytes(const LaunchContext& run) {
    constexpr std::uint64_t warp_bytes = sizeof(Warp) + warp_size * sizeof(Group) + 64;
    const std::uint64_t warps = (run.request.block.count() + warp_size - 1) / warp_size;
    return run.shared_bytes + run.shared_bytes / 8 + sizeof(Block) + 128 + warps * warp_bytes;
}

std::uint64_t Block::bytes_needed(const LaunchContext& run) {
    const DecodedFunction& kernel = run.program.functions[run.kernel.function];
    const std::uint64_t warps = (run.request.block.count() + warp_size - 1) / warp_size;
    const std::uint64_t local =
        kernel.local_bytes == 0 ? 0 : std::max<std::uint64_t>(std::bit_ceil(kernel.local_bytes), 64);
    return own_bytes(run) + warps * (FramePool::cost_of(kernel) + LocalMemory::cost_of(local));
}

bool Block::complete() const {
    return !warps.empty() &&
           std::none_of(warps.begin(), warps.end(), [](const auto& warp) { return warp->finished(); });
}

bool Block::finished() const {
    return std::all_of(warps.begin(), warps.end(), [](const auto& warp) { return warp->finished(); });
}

WarpMasks Block::live() const {
    WarpMasks masks{};
    for (std::size_t i = 0; i < warps.size(); ++i)
        masks[i] = warps[i]->live;
    return masks;
}

bool Block::open_barriers() {
    barriers_changed = false;
    bool opened = cluster != nullptr && cluster->open_barrier();
    if (used_barriers == 0) return opened;
    const WarpMasks alive = live();
    for (unsigned left = used_barriers; left != 0; left &= left - 1) {
        const auto number = static_cast<unsigned>(std::countr_zero(left));
        if (number == cluster_barrier && cluster != nullptr) continue;
        if (!barriers[number].complete(alive)) continue;
        release(number);
        opened = true;
    }
    return opened;
}

void Block::note_cluster_passed() {
    for (const auto& warp : warps) {
        Mask blocked = 0;
        for (const Group& group : warp->groups)
            if (group.state == GroupState::at_barrier && group.barrier == cluster_barrier)
                blocked |= group.mask;
        past_cluster[warp->number] = barriers[cluster_barrier].waiting[warp->number] & ~blocked;
    }
}

void Block::release_cluster_barrier() {
    release(cluster_barrier);
}

void Block::release(unsigned number) {
    Barrier& barrier = barriers[number];
    if (number == cluster_barrier) note_cluster_passed();
    if (number == 0 && barrier.expected == 0) check_barrier_places(*this);
    for (const auto& warp : warps) {
        for (Group& group : warp->groups) {
            if (group.state != GroupState::at_barrier || group.barrier != number) continue;
            group.state = GroupState::ready;
            group.ran_past = false;
            if (run_.program.ops[group.wait_pc] == ptx::Op::bar_red ||
                run_.program.ops[group.wait_pc] == ptx::Op::barrier_red) {
                finish_reduction(*warp, group, barrier);
                group.result_pc = group.wait_pc;
            }
        }
        if (warp->groups.size() > 1) warp->merge_groups();
    }
    barrier = {};
    used_barriers &= ~(1u << number);
    if (recorded && run_.recorder != nullptr) run_.recorder->barrier_release(index, number);
}

}  // namespace lanescope::simt
