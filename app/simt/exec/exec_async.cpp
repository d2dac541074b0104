// cp.async and cp.async.bulk (PTX ISA 9.7.9.25): issuing copies and waiting for their groups. async.h says
// when their bytes arrive.
#include <algorithm>
#include <cstring>

#include "base/mbarrier.h"
#include "simt/exec/executors.h"
#include "simt/state/access.h"
#include "simt/state/async.h"
#include "simt/state/block.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;

namespace {

// Copies that hardware may finish early finish early if a program leaves very many pending.
constexpr std::size_t max_pending_copies = 4096;
constexpr std::size_t max_tracked = 1 << 10;  // by one object
constexpr std::uint64_t max_bulk_bytes = 1ull << 30;

std::uint64_t address_of(const Warp& warp, const AddressForm& form, unsigned lane) {
    const auto offset = static_cast<std::uint64_t>(form.offset);
    return (form.narrow ? warp.row<std::uint32_t>(form.row)[lane] : warp.row<std::uint64_t>(form.row)[lane]) +
           offset;
}

const CopyForm& copy_form(const Warp& warp, const Decoded& decoded) {
    return warp.run->program.tables.copies[decoded.target];
}

unsigned source_bytes(const Warp& warp, const CopyForm& form, unsigned lane, unsigned width) {
    if (form.ignore != no_ref && has_lane(warp.predicate(form.ignore) ^ form.ignore_flip, lane)) return 0;
    if (form.size == no_ref) return width;
    return std::min(warp.row<std::uint32_t>(form.size)[lane], width);
}

// Records the lanes' reads; lanes that read equally many bytes share an access.
void record_sources(Warp& warp, std::uint32_t pc, const Addresses& from,
                    const std::array<std::uint8_t, warp_size>& bytes) {
    for (unsigned width = 1; width <= 16; ++width) {
        Mask same = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if (bytes[lane] == width) same |= lane_bit(lane);
        record_access(warp, piece_at(pc, Window::global, width), trace::AccessKind::load, same, from,
                      nullptr);
    }
}

void copy_async(Warp& warp, const Decoded& decoded, Mask mask) {
    const CopyForm& form = copy_form(warp, decoded);
    const unsigned width = decoded.width;
    WarpAsync& async = async_of(warp).warps[warp.number];
    const std::uint32_t pc = warp.run->pc_of(decoded);
    const Decoded from_piece = piece_at(pc, form.from.window, width),
                  to_piece = piece_at(pc, form.to.window, width);
    PendingCopy copy;
    copy.pc = pc;
    copy.number = async.issued++;
    copy.sequence = async_of(warp).issued++;
    copy.width = decoded.width;
    copy.group = async.groups;
    Addresses from{};
    std::array<std::uint8_t, warp_size> read{};
    for_each_lane(mask, [&](unsigned lane) {
        copy.to[lane] = address_of(warp, form.to, lane);
        from[lane] = address_of(warp, form.from, lane);
        const unsigned bytes = source_bytes(warp, form, lane, width);
        const ByteRange target =
            resolve_range(warp, to_piece, lane, copy.to[lane], width, width, trace::AccessKind::store);
        ByteRange source;
        if (bytes != 0)
            source = resolve_range(warp, from_piece, lane, from[lane], bytes, width, trace::AccessKind::load);
        if (target.data == nullptr || (bytes != 0 && source.data == nullptr)) return;
        if (bytes != 0) std::memcpy(copy.data.data() + std::size_t{lane} * width, source.data, bytes);
        read[lane] = static_cast<std::uint8_t>(bytes);
        copy.lanes |= lane_bit(lane);
    });
    record_sources(warp, pc, from, read);
    if (copy.lanes == 0) return;
    if (async.copies.size() >= max_pending_copies)
        finish_copies(warp, warp.number, all_lanes, async.copies.front().number + 1);
    const bool charged = copy.charge.take(warp.run->budget, sizeof(PendingCopy) + 256);
    async.copies.push_back(std::move(copy));
    if (!charged)
        finish_copies(warp, warp.number, all_lanes, async.issued);  // memory is short: they arrive now
}

void commit_group(Warp& warp, const Decoded&, Mask mask) {
    auto& groups = async_of(warp).warps[warp.number].groups;
    for_each_lane(mask, [&](unsigned lane) { ++groups[lane]; });
}
void wait_group(Warp& warp, const Decoded& decoded, Mask mask) {
    finish_groups(warp, mask, static_cast<std::uint32_t>(decoded.imm));
}
void wait_all(Warp& warp, const Decoded& decoded, Mask mask) {
    commit_group(warp, decoded, mask);
    finish_groups(warp, mask, 0);
}

// --- bulk copies -------------------------------------------------------------------------------------------

Tracked* track(Warp& warp, const Decoded& decoded, std::uint64_t object, Mask lanes) {
    Tracked tracked;
    tracked.pc = warp.run->pc_of(decoded);
    tracked.warp = warp.number;
    tracked.lanes = lanes;
    auto& list = async_of(warp).objects[object];
    if (list.size() >= max_tracked) finish_tracked(warp, object);
    list.push_back(std::move(tracked));
    return &list.back();
}

bool sound_size(Warp& warp, const Decoded& decoded, unsigned lane, std::uint32_t size) {
    if (size % 16 == 0) return true;
    report(warp, trace::ProblemKind::misaligned, warp.run->pc_of(decoded), lane_bit(lane),
           "copies " + std::to_string(size) + " bytes in bulk, which is not a multiple of 16");
    return false;
}

BulkCopy bulk_copy(const Warp& warp, const Decoded& decoded, const CopyForm& form, unsigned lane) {
    BulkCopy copy;
    copy.pc = warp.run->pc_of(decoded);
    copy.lane = lane;
    copy.from = address_of(warp, form.from, lane);
    copy.to = address_of(warp, form.to, lane);
    copy.size_bytes = warp.row<std::uint32_t>(form.size)[lane];
    return copy;
}

// Into shared memory: an mbarrier object tracks it.
void copy_bulk_in(Warp& warp, const Decoded& decoded, Mask mask) {
    const CopyForm& form = copy_form(warp, decoded);
    const std::uint32_t pc = warp.run->pc_of(decoded);
    const Decoded from_piece = piece_at(pc, form.from.window, 16),
                  to_piece = piece_at(pc, form.to.window, 16);
    for_each_lane(mask, [&](unsigned lane) {
        BulkCopy copy = bulk_copy(warp, decoded, form, lane);
        const std::uint64_t object = address_of(warp, form.barrier, lane);
        if (object_at(warp, decoded, lane, object) == nullptr) return;
        if (!sound_size(warp, decoded, lane, static_cast<std::uint32_t>(copy.size_bytes))) return;
        if (copy.size_bytes == 0) return;
        const ByteRange from =
            resolve_range(warp, from_piece, lane, copy.from, copy.size_bytes, 16, trace::AccessKind::load);
        const ByteRange to =
            resolve_range(warp, to_piece, lane, copy.to, copy.size_bytes, 16, trace::AccessKind::store);
        if (from.data == nullptr || to.data == nullptr) return;
        copy.read = true;
        copy.data.assign(from.data, from.data + copy.size_bytes);
        record_range_load(warp, from_piece, lane, copy.from, copy.size_bytes);
        BlockAsync& async = async_of(warp);
        if (async.bulk_bytes > max_bulk_bytes) finish_tracked(warp, object);
        async.bulk_bytes += copy.size_bytes;
        const bool charged = copy.charge.take(warp.run->budget, copy.size_bytes + sizeof(Tracked));
        Tracked* tracked = track(warp, decoded, object, lane_bit(lane));
        tracked->bulk = true;
        tracked->copy = std::move(copy);
        if (!charged) finish_tracked(warp, object);
    });
}

// Out of shared memory: groups of the thread track it.
void copy_bulk_out(Warp& warp, const Decoded& decoded, Mask mask) {
    const CopyForm& form = copy_form(warp, decoded);
    const std::uint32_t pc = warp.run->pc_of(decoded);
    const Decoded from_piece = piece_at(pc, form.from.window, 16),
                  to_piece = piece_at(pc, form.to.window, 16);
    for_each_lane(mask, [&](unsigned lane) {
        BulkCopy copy = bulk_copy(warp, decoded, form, lane);
        if (!sound_size(warp, decoded, lane, static_cast<std::uint32_t>(copy.size_bytes))) return;
        if (copy.size_bytes == 0) return;
        const ByteRange from =
            resolve_range(warp, from_piece, lane, copy.from, copy.size_bytes, 16,
                          trace::AccessKind::store);  // its bytes are checked when they are read
        const ByteRange to =
            resolve_range(warp, to_piece, lane, copy.to, copy.size_bytes, 16, trace::AccessKind::store);
        if (from.data == nullptr || to.data == nullptr) return;
        WarpAsync& async = async_of(warp).warps[warp.number];
        copy.group = async.bulk_groups[lane];
        if (async.stores.size() >= max_pending_copies) finish_all_stores(warp, all_lanes);
        const bool charged = copy.charge.take(warp.run->budget, copy.size_bytes + sizeof(BulkCopy) + 64);
        async.stores.push_back(std::move(copy));
        if (!charged) finish_all_stores(warp, all_lanes);
    });
}

void commit_bulk_group(Warp& warp, const Decoded&, Mask mask) {
    auto& groups = async_of(warp).warps[warp.number].bulk_groups;
    for_each_lane(mask, [&](unsigned lane) { ++groups[lane]; });
}
template <bool read_only>
void wait_bulk_group(Warp& warp, const Decoded& decoded, Mask mask) {
    finish_stores(warp, mask, static_cast<std::uint32_t>(decoded.imm), read_only);
}

// cp.async.mbarrier.arrive: the object awaits the lanes' earlier copies. Without .noinc the phase awaits
// one more arrival.
template <bool increases>
void arrive_when_copied(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    const std::uint64_t before = async_of(warp).warps[warp.number].issued;
    for_each_lane(mask, [&](unsigned lane) {
        std::byte* object = object_at(warp, decoded, lane, addresses[lane]);
        if (object == nullptr) return;
        Tracked* tracked = track(warp, decoded, addresses[lane], lane_bit(lane));
        tracked->before = before;
        if constexpr (increases)
            change_object(warp, warp.run->pc_of(decoded), lane, addresses[lane], [](Mbarrier& barrier) {
                barrier.pending += barrier.pending < Mbarrier::max_arrivals ? 1 : 0;
            });
    });
}

}  // namespace

Exec select_copy(const Instruction&, bool) {
    return &copy_async;
}
Exec select_commit(const Instruction&, bool) {
    return &commit_group;
}
Exec select_wait(const Instruction&, bool) {
    return &wait_group;
}
Exec select_wait_all(const Instruction&, bool) {
    return &wait_all;
}
Exec select_copy_arrival(const Instruction& instruction, bool) {
    return instruction.has(Mod::noinc) ? &arrive_when_copied<false> : &arrive_when_copied<true>;
}
Exec select_bulk_copy(const Instruction& instruction, bool) {
    return instruction.has(Mod::bulk_group) ? &copy_bulk_out : &copy_bulk_in;
}
Exec select_bulk_commit(const Instruction&, bool) {
    return &commit_bulk_group;
}
Exec select_bulk_wait(const Instruction& instruction, bool) {
    return instruction.has(Mod::read) ? &wait_bulk_group<true> : &wait_bulk_group<false>;
}

}  // namespace lanescope::simt
