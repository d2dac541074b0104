#include "simt/state/access.h"

#include <algorithm>
#include <cstring>

#include "simt/memory/lane_tests.h"
#include "simt/state/block.h"
#include "simt/state/cluster.h"
#include "simt/state/faults.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

namespace {

Region* find_region(Warp& warp, Window window, std::uint64_t address, std::uint64_t end) {
    LaunchContext& run = *warp.run;
    Region* region = nullptr;
    switch (window) {
        case Window::global:
            return run.global.region(address, end);
        case Window::constant:
            return run.constant.region(address, end);
        case Window::shared:
            region = &warp.block->shared;
            break;
        case Window::parameter:
            region = &run.parameter_region;
            break;
        default:
            return nullptr;
    }
    return region->holds(address, end) ? region : nullptr;
}

bool target_local(Warp& warp, unsigned lane, std::uint64_t address, unsigned width, Targets& targets) {
    const std::uint64_t offset = address - window::local;
    if (address < window::local || offset + width > warp.frame->local_end) return false;
    targets.data[lane] = warp.local.data(lane) + offset;
    targets.set[lane] = warp.local.set(lane);
    targets.set_offset[lane] = offset;
    targets.region[lane] = nullptr;
    return true;
}

bool target_region(Warp& warp, Window window, unsigned lane, std::uint64_t address, unsigned width,
                   Targets& targets) {
    Region* region = nullptr;
    if (window == Window::shared && is_mapped(address)) {
        const SharedPlace place = shared_place(warp, address);
        address = place.address;
        if (place.block != nullptr && place.block->shared.holds(address, address + width))
            region = &place.block->shared;
    } else {
        region = find_region(warp, window, address, address + width);
    }
    if (region == nullptr) return false;
    targets.data[lane] = region->data + (address - region->base);
    targets.set[lane] = region->uninit_bytes == 0 ? nullptr : region->set;
    targets.set_offset[lane] = address - region->base;
    targets.region[lane] = region;
    return true;
}

// Where the variable begins that the instruction's address comes from; 0: not known.
std::uint64_t object_address(const Warp& warp, const Decoded& decoded) {
    if (decoded.object == 0) return 0;
    return window::local + warp.frame->local_base + warp.run->program.local_objects[decoded.object - 1].begin;
}

// Reports lanes whose access is sound, but outside of the variable that its address comes from.
void check_object(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses,
                  trace::AccessKind kind) {
    const LocalObject& object = warp.run->program.local_objects[decoded.object - 1];
    const std::uint64_t start = object_address(warp, decoded), size = object.end - object.begin;
    for_each_lane(mask, [&](unsigned lane) {
        const std::uint64_t address = addresses[lane];
        if (address >= start && address + decoded.width <= start + size) return;
        report_access(
            warp, decoded, lane,
            {trace::ProblemKind::out_of_bounds, kind, decoded.window, address, decoded.width, start, true});
    });
}

// A block's shared memory is gone when it has ended.
void check_owner(Warp& warp, const Decoded& decoded, unsigned lane, std::uint64_t address) {
    const Block* owner = shared_place(warp, address).block;
    if (owner == nullptr || !owner->finished()) return;
    report(
        warp, trace::ProblemKind::out_of_bounds, warp.run->pc_of(decoded), lane_bit(lane),
        "reaches the shared memory of block " + std::to_string(owner->index) +
            " of its cluster, which has ended; the blocks must wait for each other first (cluster.sync())");
}

bool may_write(Window window) {
    return window != Window::constant && window != Window::parameter;
}

}  // namespace

const std::byte* readable_bytes(Warp& warp, unsigned lane, std::uint64_t address, unsigned size_bytes) {
    const Window window = window_of(address);
    address = own_local(warp, lane, address);
    Targets targets;
    const bool found = window == Window::local
                           ? target_local(warp, lane, address, size_bytes, targets)
                           : target_region(warp, window, lane, address, size_bytes, targets);
    return found ? targets.data[lane] : nullptr;
}

void resolve(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses,
             trace::AccessKind kind, Targets& targets) {
    const unsigned width = decoded.width;
    targets.mask = 0;
    for_each_lane(mask, [&](unsigned lane) {
        const std::uint64_t address = addresses[lane];
        BadAccess bad{trace::ProblemKind::misaligned, kind, decoded.window, address, width,
                      object_address(warp, decoded)};
        if ((address & (width - 1)) != 0) return report_access(warp, decoded, lane, bad);
        const Window window = decoded.window == Window::none ? window_of(address) : decoded.window;
        bad.kind = trace::ProblemKind::out_of_bounds;
        if (kind != trace::AccessKind::load && !may_write(window))
            return report_access(warp, decoded, lane, bad);
        const bool found = window == Window::local
                               ? target_local(warp, lane, address, width, targets)
                               : target_region(warp, window, lane, address, width, targets);
        if (!found) return report_access(warp, decoded, lane, bad);
        if (window == Window::shared && is_mapped(address)) check_owner(warp, decoded, lane, address);
        targets.mask |= lane_bit(lane);
        if (kind == trace::AccessKind::store || targets.set[lane] == nullptr) return;
        const std::uint32_t known = set_bits(targets.set[lane], targets.set_offset[lane], width);
        if (known == (1u << width) - 1) return;
        if (window == Window::local && known != 0) return;  // a structure copied with its padding
        bad.kind = trace::ProblemKind::uninitialised;
        bad.object = 0;
        report_access(warp, decoded, lane, bad);
    });
    if (decoded.object != 0) check_object(warp, decoded, targets.mask, addresses, kind);
}

std::uint16_t mark_lane(Targets& targets, unsigned lane, unsigned width) {
    if (targets.set[lane] == nullptr) return 0;
    const std::uint64_t offset = targets.set_offset[lane];
    const std::uint32_t ones = (1u << width) - 1;
    const std::uint32_t missing = ~set_bits(targets.set[lane], offset, width) & ones;
    mark_set(targets.set[lane], offset, width);
    if (targets.region[lane] != nullptr)
        targets.region[lane]->uninit_bytes -= static_cast<std::uint64_t>(std::popcount(missing));
    return static_cast<std::uint16_t>(missing);
}

namespace {

void record_foreign(LaunchContext& run, const Decoded& decoded, Mask mask, const Addresses& addresses,
                    const Recorded& values) {
    for_each_lane(mask, [&](unsigned lane) {
        if (window_of(addresses[lane]) != Window::global) return;
        const std::size_t at = std::size_t{lane} * decoded.width;
        run.recorder->foreign_store(trace::Space::global, addresses[lane] - window::global,
                                    {values.before.data() + at, decoded.width},
                                    {values.after.data() + at, decoded.width}, values.newly_set[lane]);
    });
}

// The whole window, so that one comparison finds all lanes in it.
constexpr std::uint64_t window_bytes(Window window) {
    return window == Window::global ? window::global_end - window::global : window::size;
}

// The lanes of the mask that are in the window, and their offsets from its start.
Mask offsets_in(Window window, Mask mask, const Addresses& addresses, Addresses& offsets) {
    const std::uint64_t start = window_start(window), size = window_bytes(window);
    for (unsigned lane = 0; lane < warp_size; ++lane)
        offsets[lane] = addresses[lane] - start;
    // offset < size, for a size below 2^63
    return mask & lanes_with_sign([&](unsigned lane) { return (offsets[lane] - size) & ~offsets[lane]; });
}

// An atomic operation that changed nothing only read.
void note_side_effects(Warp& warp, const Decoded& decoded, trace::AccessKind kind, Mask mask,
                       const Addresses& addresses, const Recorded* values) {
    for_each_lane(mask, [&](unsigned lane) {
        const Window window = window_of(addresses[lane]);
        if (window != Window::global && window != Window::shared) return;
        const bool shared = window == Window::shared;
        const SharedPlace place =
            shared ? shared_place(warp, addresses[lane]) : SharedPlace{nullptr, addresses[lane]};
        const std::size_t at = std::size_t{lane} * decoded.width;
        const bool changes =
            kind == trace::AccessKind::store ||
            (values != nullptr &&
             (values->newly_set[lane] != 0 ||
              std::memcmp(values->before.data() + at, values->after.data() + at, decoded.width) != 0));
        warp.run->effects->push_back({shared ? SideEffect::Place::shared : SideEffect::Place::global, changes,
                                      place.block != nullptr ? place.block->index : 0,
                                      place.address - window_start(window), decoded.width});
    });
}

void give_recorder(Warp& warp, const Decoded& decoded, trace::AccessKind kind, trace::Space space, Mask mask,
                   const Addresses& offsets, const Recorded* values, std::uint32_t owner = trace::none) {
    LaunchContext& run = *warp.run;
    run.recorder->access(kind, space, run.pc_of(decoded), static_cast<std::uint16_t>(warp.executed),
                         decoded.width, mask, offsets.data(),
                         values == nullptr ? nullptr : values->before.data(),
                         values == nullptr ? nullptr : values->after.data(),
                         values == nullptr ? nullptr : values->newly_set.data(), owner);
}

// Records the lanes that reach the shared memory of other blocks, once per block. Returns the lanes that
// reach their own, also by a mapped address, in `offsets` with the places of all.
Mask record_of_others(Warp& warp, const Decoded& decoded, trace::AccessKind kind, Mask mask,
                      const Addresses& addresses, Addresses& offsets, const Recorded* values) {
    std::array<const Block*, warp_size> owners{};
    Mask own = 0, others = 0;
    for_each_lane(mask, [&](unsigned lane) {
        const SharedPlace place = shared_place(warp, addresses[lane]);
        owners[lane] = place.block;
        offsets[lane] = place.address - window::shared;
        (place.block == warp.block ? own : others) |= lane_bit(lane);
    });
    while (others != 0) {
        const Block* owner = owners[first_lane(others) % warp_size];
        Mask same = 0;
        for_each_lane(others, [&](unsigned lane) { same |= owners[lane] == owner ? lane_bit(lane) : 0; });
        others &= ~same;
        if (owner != nullptr)
            give_recorder(warp, decoded, kind, trace::Space::shared, same, offsets, values, owner->index);
    }
    return own;
}

}  // namespace

void record_access(Warp& warp, const Decoded& decoded, trace::AccessKind kind, Mask mask,
                   const Addresses& addresses, const Recorded* values) {
    LaunchContext& run = *warp.run;
    if (run.effects != nullptr) note_side_effects(warp, decoded, kind, mask, addresses, values);
    if (run.recorder == nullptr || mask == 0) return;
    if (!warp.block->recorded) {
        if (values != nullptr) record_foreign(run, decoded, mask, addresses, *values);
        return;
    }
    while (mask != 0) {
        const Window window = window_of(addresses[first_lane(mask) % warp_size]);
        Addresses offsets;
        Mask same = offsets_in(window, mask, addresses, offsets);
        mask &= ~same;
        if (window == Window::parameter) continue;
        if (window == Window::shared && warp.block->cluster != nullptr)
            same = record_of_others(warp, decoded, kind, same, addresses, offsets, values);
        if (same != 0) give_recorder(warp, decoded, kind, space_of(window), same, offsets, values);
    }
}

ByteRange resolve_range(Warp& warp, const Decoded& piece, unsigned lane, std::uint64_t address,
                        std::uint64_t count, unsigned alignment, trace::AccessKind kind) {
    BadAccess bad{trace::ProblemKind::misaligned, kind, piece.window, address, alignment};
    auto wrong = [&] {
        report_access(warp, piece, lane, bad);
        return ByteRange{};
    };
    if (address % alignment != 0) return wrong();
    bad.width_bytes = static_cast<unsigned>(count);
    bad.kind = trace::ProblemKind::out_of_bounds;
    const Window window = piece.window == Window::none ? window_of(address) : piece.window;
    if (kind != trace::AccessKind::load && !may_write(window)) return wrong();
    if (window == Window::shared && is_mapped(address)) {
        report(warp, trace::ProblemKind::unsupported, warp.run->pc_of(piece), lane_bit(lane),
               "copies asynchronously, or uses an mbarrier object, in the shared memory of another block; "
               "this is not "
               "supported");
        return {};
    }
    Region* region =
        address + count < address ? nullptr : find_region(warp, window, address, address + count);
    if (region == nullptr) return wrong();
    const ByteRange range{region->data + (address - region->base), region, address - region->base};
    if (kind == trace::AccessKind::store || region->uninit_bytes == 0) return range;
    if (count_uninit(region->set, range.offset, count) == 0) return range;
    bad.kind = trace::ProblemKind::uninitialised;
    report_access(warp, piece, lane, bad);
    return range;
}

namespace {

// Calls visit(address, offset, width) for the pieces of a range.
template <class Visit>
void for_each_piece(std::uint64_t address, std::uint64_t count, Visit visit) {
    for (std::uint64_t at = 0; at < count;) {
        const auto width = static_cast<std::uint8_t>(std::min<std::uint64_t>(16, count - at));
        visit(address + at, at, width);
        at += width;
    }
}

std::uint16_t newly_set(const Region& region, std::uint64_t offset, unsigned count) {
    std::uint16_t bits = 0;
    for (unsigned i = 0; i < count; ++i)
        if ((region.set[(offset + i) >> 6] >> ((offset + i) & 63) & 1) == 0)
            bits |= static_cast<std::uint16_t>(1u << i);
    return bits;
}

}  // namespace

void record_range_load(Warp& warp, const Decoded& piece, unsigned lane, std::uint64_t address,
                       std::uint64_t count) {
    if (warp.run->recorder == nullptr && warp.run->effects == nullptr) return;
    for_each_piece(address, count, [&](std::uint64_t at, std::uint64_t, std::uint8_t width) {
        Decoded part = piece;
        part.width = width;
        Addresses addresses;
        addresses[lane] = at;
        record_access(warp, part, trace::AccessKind::load, lane_bit(lane), addresses, nullptr);
    });
}

void write_range(Warp& warp, const Decoded& piece, unsigned lane, std::uint64_t address,
                 const std::byte* bytes, std::uint64_t count) {
    Region* region = find_region(warp, window_of(address), address, address + count);
    if (region == nullptr) return;
    const std::uint64_t start = address - region->base;
    for_each_piece(address, count, [&](std::uint64_t at, std::uint64_t offset, std::uint8_t width) {
        std::byte* to = region->data + start + offset;
        if (warp.run->recorder != nullptr || warp.run->effects != nullptr) {
            Decoded part = piece;
            part.width = width;
            Addresses addresses;
            addresses[lane] = at;
            Recorded values;
            std::memcpy(values.before.data() + std::size_t{lane} * width, to, width);
            std::memcpy(values.after.data() + std::size_t{lane} * width, bytes + offset, width);
            values.newly_set[lane] = newly_set(*region, start + offset, width);
            record_access(warp, part, trace::AccessKind::store, lane_bit(lane), addresses, &values);
        }
        std::memcpy(to, bytes + offset, width);
    });
    if (region->uninit_bytes == 0) return;
    region->uninit_bytes -= count_uninit(region->set, start, count);
    mark_range(region->set, start, count);
}

}  // namespace lanescope::simt
