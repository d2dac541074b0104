#include "simt/state/async.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/mbarrier.h"
#include "simt/state/access.h"
#include "simt/state/block.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

BlockAsync& async_of(Warp& warp) {
    Block& block = *warp.block;
    if (block.async == nullptr) {
        block.async = std::make_unique<BlockAsync>();
        block.async->warps.resize(block.warps.size());
    }
    return *block.async;
}

Decoded piece_at(std::uint32_t pc, Window window, unsigned width) {
    Decoded piece;
    piece.target = pc;
    piece.window = window;
    piece.width = static_cast<std::uint8_t>(width);
    return piece;
}

namespace {

void arrive_bytes(Warp& running, const PendingCopy& copy, Mask lanes) {
    const unsigned width = copy.width;
    const Decoded piece = piece_at(copy.pc, Window::shared, width);
    Region& shared = running.block->shared;
    Recorded values;
    for_each_lane(lanes, [&](unsigned lane) {
        const std::uint64_t offset = copy.to[lane] - shared.base;
        std::byte* to = shared.data + offset;
        const std::byte* from = copy.data.data() + std::size_t{lane} * width;
        std::memcpy(values.before.data() + std::size_t{lane} * width, to, width);
        std::memcpy(values.after.data() + std::size_t{lane} * width, from, width);
        const std::uint32_t missing = ~set_bits(shared.set, offset, width) & ((1u << width) - 1);
        values.newly_set[lane] = static_cast<std::uint16_t>(missing);
        shared.uninit_bytes -= static_cast<std::uint64_t>(std::popcount(missing));
        mark_set(shared.set, offset, width);
        std::memcpy(to, from, width);
    });
    running.progressed = true;
    record_access(running, piece, trace::AccessKind::store, lanes, copy.to, &values);
}

void read_source(Warp& warp, BulkCopy& copy) {
    if (copy.read) return;
    const Decoded piece = piece_at(copy.pc, Window::shared, 16);
    copy.read = true;
    const ByteRange from =
        resolve_range(warp, piece, copy.lane, copy.from, copy.size_bytes, 16, trace::AccessKind::load);
    if (from.data == nullptr) return;
    copy.data.assign(from.data, from.data + copy.size_bytes);
    record_range_load(warp, piece, copy.lane, copy.from, copy.size_bytes);
}

template <class Wanted>
void finish_stores_where(Warp& warp, bool read_only, Wanted wanted) {
    auto& stores = async_of(warp).warps[warp.number].stores;
    for (BulkCopy& copy : stores) {
        if (!wanted(copy)) continue;
        read_source(warp, copy);
        if (!read_only) finish_bulk(warp, copy);
    }
    if (!read_only) std::erase_if(stores, wanted);
}

}  // namespace

void finish_copies(Warp& running, std::uint32_t warp, Mask lanes, std::uint64_t before) {
    auto& copies = async_of(running).warps[warp].copies;
    for (PendingCopy& copy : copies) {
        if (copy.number >= before) break;
        const Mask now = copy.lanes & lanes;
        if (now == 0) continue;
        copy.lanes &= ~now;
        arrive_bytes(running, copy, now);
    }
    while (!copies.empty() && copies.front().lanes == 0)
        copies.pop_front();
}

void finish_groups(Warp& warp, Mask lanes, std::uint32_t keep) {
    WarpAsync& async = async_of(warp).warps[warp.number];
    for (PendingCopy& copy : async.copies) {
        Mask now = 0;
        for_each_lane(copy.lanes & lanes, [&](unsigned lane) {
            if (copy.group[lane] + std::uint64_t{keep} < async.groups[lane]) now |= lane_bit(lane);
        });
        if (now == 0) continue;
        copy.lanes &= ~now;
        arrive_bytes(warp, copy, now);
    }
    while (!async.copies.empty() && async.copies.front().lanes == 0)
        async.copies.pop_front();
}

void finish_stores(Warp& warp, Mask lanes, std::uint32_t keep, bool read_only) {
    const auto& groups = async_of(warp).warps[warp.number].bulk_groups;
    finish_stores_where(warp, read_only, [&](const BulkCopy& copy) {
        return has_lane(lanes, copy.lane) && copy.group + std::uint64_t{keep} < groups[copy.lane];
    });
}

void finish_all_stores(Warp& warp, Mask lanes) {
    finish_stores_where(warp, false, [&](const BulkCopy& copy) { return has_lane(lanes, copy.lane); });
}

void finish_abandoned_copies(Warp& running) {
    const auto& warps = running.block->warps;
    if (std::any_of(warps.begin(), warps.end(), [](const auto& warp) { return warp->live != 0; })) return;
    finish_copies(running, running.number, all_lanes, ~std::uint64_t{0});
    std::vector<PendingCopy*> left;
    for (WarpAsync& async : running.block->async->warps)
        for (PendingCopy& copy : async.copies)
            left.push_back(&copy);
    std::sort(left.begin(), left.end(),
              [](const PendingCopy* a, const PendingCopy* b) { return a->sequence < b->sequence; });
    for (PendingCopy* copy : left)
        arrive_bytes(running, *copy, std::exchange(copy->lanes, 0));
    for (WarpAsync& async : running.block->async->warps)
        async.copies.clear();
}

void finish_bulk(Warp& running, BulkCopy& copy) {
    if (copy.data.empty()) return;
    const Decoded piece = piece_at(copy.pc, window_of(copy.to), 16);
    write_range(running, piece, copy.lane, copy.to, copy.data.data(), copy.data.size());
    running.progressed = true;
}

}  // namespace lanescope::simt
