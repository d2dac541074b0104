#include "gpu/traced/async_copies.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu/traced/operation_decoder.h"

namespace lanescope::gpu {

using trace::AccessKind;
using trace::Mask;
using trace::Space;

namespace {

AccessPiece piece_for(const DecodedStep& step, std::uint32_t pc, Space space, unsigned width, Mask lanes) {
    AccessPiece piece;
    piece.mask = lanes;
    piece.space = space;
    piece.block = step.warp.block;
    piece.pc = pc;
    piece.ordinal = step.ordinal;
    piece.width = width;
    return piece;
}

// Calls visit(offset, width) for the pieces of a range.
template <class Visit>
void for_pieces(std::uint64_t size_bytes, Visit visit) {
    for (std::uint64_t at = 0; at < size_bytes; at += widest_access)
        visit(at, static_cast<unsigned>(std::min<std::uint64_t>(widest_access, size_bytes - at)));
}

}  // namespace

AsyncCopies::OfWarp& AsyncCopies::of(const DecodedStep& step) {
    return blocks_[step.warp.block].warps[step.warp.number];
}

void AsyncCopies::issue(const DecodedStep& step, const AccessPiece& to, const AccessPiece& from,
                        const std::array<std::uint8_t, 32>& read, const LaneBytes& bytes) {
    for (unsigned width = 1; width <= widest_access; ++width) {
        AccessPiece same = from;
        same.mask = 0;
        same.width = width;
        each_lane(to.mask, [&](unsigned lane) {
            if (read[lane] == width) same.mask |= Mask{1} << lane;
        });
        accesses_.load(same);
    }
    OfWarp& warp = of(step);
    Pending copy;
    copy.pc = step.pc;
    copy.number = warp.issued++;
    copy.lanes = to.mask;
    copy.width = to.width;
    copy.group = warp.groups;
    copy.to = to.offsets;
    copy.data = bytes;
    warp.copies.push_back(copy);
}

void AsyncCopies::arrive(const DecodedStep& step, Pending& copy, Mask lanes) {
    if (lanes == 0) return;
    copy.lanes &= ~lanes;
    AccessPiece piece = piece_for(step, copy.pc, Space::shared, copy.width, lanes);
    piece.offsets = copy.to;
    accesses_.write(piece, AccessKind::store, step.warp.lanes, copy.data);
}

void AsyncCopies::commit(const DecodedStep& step, bool bulk) {
    OfWarp& warp = of(step);
    each_lane(step.active, [&](unsigned lane) { ++(bulk ? warp.bulk_groups : warp.groups)[lane]; });
}

void AsyncCopies::wait(const DecodedStep& step, std::uint32_t keep) {
    OfWarp& warp = of(step);
    for (Pending& copy : warp.copies) {
        Mask now = 0;
        each_lane(copy.lanes & step.active, [&](unsigned lane) {
            if (copy.group[lane] + std::uint64_t{keep} < warp.groups[lane]) now |= Mask{1} << lane;
        });
        arrive(step, copy, now);
    }
    std::erase_if(warp.copies, [](const Pending& copy) { return copy.lanes == 0; });
}

// --- Bulk copies -------------------------------------------------------------------------------------------

void AsyncCopies::read_source(const DecodedStep& step, BulkPiece& copy) {
    if (copy.read) return;
    copy.read = true;
    copy.data.resize(copy.size_bytes);
    held_bytes_ += copy.size_bytes;
    const MemoryImage& memory =
        *accesses_.image(copy.from.space, step.warp.block, step.warp.lanes[copy.lane]);
    for_pieces(copy.size_bytes, [&](std::uint64_t at, unsigned width) {
        memory.read(copy.from.offset + at, std::span(copy.data).subspan(at, width));
        AccessPiece piece = piece_for(step, copy.pc, copy.from.space, width, Mask{1} << copy.lane);
        piece.offsets[copy.lane] = copy.from.offset + at;
        accesses_.load(piece);
    });
}

void AsyncCopies::write_target(const DecodedStep& step, BulkPiece& copy) {
    for_pieces(copy.data.size(), [&](std::uint64_t at, unsigned width) {
        AccessPiece piece = piece_for(step, copy.pc, copy.to.space, width, Mask{1} << copy.lane);
        piece.offsets[copy.lane] = copy.to.offset + at;
        LaneBytes bytes{};
        std::memcpy(bytes.data() + std::size_t{copy.lane} * width, copy.data.data() + at, width);
        accesses_.write(piece, AccessKind::store, step.warp.lanes, bytes);
    });
    held_bytes_ -= copy.data.size();
    copy.data.clear();
}

void AsyncCopies::issue_in(const DecodedStep& step, BulkPiece copy, std::uint64_t object) {
    read_source(step, copy);
    Tracked tracked;
    tracked.pc = step.pc;
    tracked.warp = step.warp.number;
    tracked.lane = copy.lane;
    tracked.bulk = true;
    tracked.copy = std::move(copy);
    blocks_[step.warp.block].objects[object].push_back(std::move(tracked));
}

void AsyncCopies::issue_out(const DecodedStep& step, BulkPiece copy) {
    OfWarp& warp = of(step);
    copy.group = warp.bulk_groups[copy.lane];
    warp.stores.push_back(std::move(copy));
}

template <class Wanted>
void AsyncCopies::finish_stores(const DecodedStep& step, bool read_only, Wanted wanted) {
    std::deque<BulkPiece>& stores = of(step).stores;
    for (BulkPiece& copy : stores) {
        if (!wanted(copy)) continue;
        read_source(step, copy);
        if (!read_only) write_target(step, copy);
    }
    if (!read_only) std::erase_if(stores, wanted);
}

void AsyncCopies::wait_bulk(const DecodedStep& step, std::uint32_t keep, bool read_only) {
    const std::array<std::uint32_t, 32> groups = of(step).bulk_groups;
    finish_stores(step, read_only, [&](const BulkPiece& copy) {
        return (step.active >> copy.lane & 1) != 0 && copy.group + std::uint64_t{keep} < groups[copy.lane];
    });
}

void AsyncCopies::finish_all_stores(const DecodedStep& step) {
    if (blocks_.empty()) return;
    finish_stores(step, false, [&](const BulkPiece& copy) { return (step.active >> copy.lane & 1) != 0; });
}

// --- mbarrier objects --------------------------------------------------------------------------------------

void AsyncCopies::begin_object(const DecodedStep& step, std::uint64_t at) {
    blocks_[step.warp.block].objects[at].clear();
}

void AsyncCopies::end_object(const DecodedStep& step, std::uint64_t at) {
    blocks_[step.warp.block].objects.erase(at);
}

Mbarrier AsyncCopies::object(const DecodedStep& step, std::uint64_t at) const {
    std::array<std::byte, barrier_object_bytes> bytes{};
    accesses_.image(Space::shared, step.warp.block, step.warp.lanes[0])->read(at, bytes);
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    return Mbarrier::unpack(word);
}

void AsyncCopies::change_object(const DecodedStep& step, std::uint32_t pc, unsigned lane, std::uint64_t at,
                                const std::function<void(Mbarrier&)>& change) {
    Mbarrier barrier = object(step, at);
    change(barrier);
    const std::uint64_t word = barrier.pack();
    AccessPiece piece = piece_for(step, pc, Space::shared, barrier_object_bytes, Mask{1} << lane);
    piece.offsets[lane] = at;
    LaneBytes bytes{};
    std::memcpy(bytes.data() + std::size_t{lane} * barrier_object_bytes, &word, sizeof word);
    accesses_.write(piece, AccessKind::atomic, step.warp.lanes, bytes);
}

void AsyncCopies::track(const DecodedStep& step, unsigned lane, std::uint64_t object, bool increases) {
    Tracked tracked;
    tracked.pc = step.pc;
    tracked.warp = step.warp.number;
    tracked.lane = lane;
    tracked.before = of(step).issued;
    blocks_[step.warp.block].objects[object].push_back(std::move(tracked));
    if (increases)
        change_object(step, step.pc, lane, object, [](Mbarrier& barrier) {
            barrier.pending += barrier.pending < Mbarrier::max_arrivals ? 1 : 0;
        });
}

void AsyncCopies::finish_tracked(const DecodedStep& step, std::uint64_t object) {
    OfBlock& block = blocks_[step.warp.block];
    const auto found = block.objects.find(object);
    if (found == block.objects.end()) return;
    for (Tracked& tracked : std::exchange(found->second, {})) {
        if (tracked.bulk) {
            write_target(step, tracked.copy);
            change_object(step, tracked.pc, tracked.lane, object, [&](Mbarrier& barrier) {
                barrier.bytes -= static_cast<std::int64_t>(tracked.copy.size_bytes);
                barrier.settle();
            });
            continue;
        }
        std::deque<Pending>& copies = block.warps[tracked.warp].copies;
        for (Pending& copy : copies)
            if (copy.number < tracked.before) arrive(step, copy, copy.lanes & Mask{1} << tracked.lane);
        std::erase_if(copies, [](const Pending& copy) { return copy.lanes == 0; });
        change_object(step, tracked.pc, tracked.lane, object, [](Mbarrier& barrier) {
            barrier.pending -= std::min(barrier.pending, 1u);
            barrier.settle();
        });
    }
}

}  // namespace lanescope::gpu
