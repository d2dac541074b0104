#include "analysis/request_counter.h"

#include <algorithm>
#include <bit>

namespace lanescope::analysis {
namespace {

using trace::Access;
using trace::AccessKind;
using trace::Event;
using trace::EventKind;
using trace::Mask;
using trace::Space;
using trace::warp_size;

void add_global(bool load, Mask mask, const SectorUse& use, Metrics& to) {
    ++(load ? to.global_load_requests : to.global_store_requests);
    (load ? to.global_load_sectors : to.global_store_sectors) += use.sectors;
    (load ? to.global_load_ideal_sectors : to.global_store_ideal_sectors) += use.ideal;
    (load ? to.global_load_lanes : to.global_store_lanes) += trace::lane_count(mask);
}

struct Passes {
    unsigned wavefronts = 0, ideal = 0, degree = 0;
};

void add_shared(bool load, Mask mask, const Passes& use, Metrics& to) {
    ++(load ? to.shared_load_requests : to.shared_store_requests);
    (load ? to.shared_load_wavefronts : to.shared_store_wavefronts) += use.wavefronts;
    (load ? to.shared_load_ideal_wavefronts : to.shared_store_ideal_wavefronts) += use.ideal;
    (load ? to.shared_load_lanes : to.shared_store_lanes) += trace::lane_count(mask);
    to.shared_conflict_degree = std::max<std::uint64_t>(to.shared_conflict_degree, use.degree);
}

void add_remote(EventKind kind, Mask mask, Metrics& to) {
    ++(kind == EventKind::load    ? to.remote_load_requests
       : kind == EventKind::store ? to.remote_store_requests
                                  : to.remote_atomic_requests);
    to.remote_lanes += trace::lane_count(mask);
}

void add_atomic(const Access& access, const Work::Kind& kind, Metrics& to) {
    const bool global = access.space == Space::global;
    if (!global && access.space != Space::shared) return;
    const AtomicUse use = atomic_use(access);
    to.atomics += trace::lane_count(access.mask);
    to.atomic_passes += use.passes;
    to.atomic_worst = std::max<std::uint64_t>(to.atomic_worst, use.passes);
    if (access.owner != trace::none) return add_remote(EventKind::atomic, access.mask, to);
    ++(global ? to.global_atomic_requests : to.shared_atomic_requests);
    if (global)
        to.global_atomic_sectors += use.sectors;
    else
        to.shared_atomic_wavefronts += use.wavefronts * (kind.swap ? 2 : 1);
}

void add_constant(const Access& access, const Work::Kind& kind, Metrics& to) {
    ++to.constant_load_requests;
    if (!kind.generic) return;
    ++to.constant_generic_requests;
    to.constant_generic_sectors += sectors(access);
}

// The bytes of all lanes as one range, where they are one: start and size.
struct Range {
    std::uint64_t start = 0, size_bytes = 0;
};
bool one_range(const Event& access, Range& range) {
    if (!access.affine) return false;
    const auto first = static_cast<unsigned>(std::countr_zero(access.mask));
    const Mask lanes = access.mask >> first;
    range.start = access.base + first * access.stride;
    if (access.stride == 0 || lanes == 1) {
        range.size_bytes = access.width;
        return true;
    }
    range.size_bytes = std::uint64_t{access.width} * trace::lane_count(lanes);
    return access.stride == access.width && (lanes & (lanes + 1)) == 0;
}

SectorUse sectors_of(const Range& range) {
    constexpr std::uint64_t sector_bytes = 32;
    const std::uint64_t last = range.start + range.size_bytes - 1;
    return {static_cast<unsigned>(last / sector_bytes - range.start / sector_bytes + 1),
            static_cast<unsigned>((range.size_bytes + sector_bytes - 1) / sector_bytes)};
}

// Aligned neighbours, or one element for all: each bank gives one word a pass. Which lanes share a pass of a
// wide load from shared memory, banks() tells.
bool free_of_conflicts(const Event& access) {
    if (access.kind == EventKind::load && access.width > 4) return false;
    return access.affine && (access.stride == 0 || access.stride == access.width) &&
           (access.width & (access.width - 1)) == 0 && access.base % access.width == 0;
}

Passes passes_without_conflict(const Event& access) {
    const unsigned lanes = access.width <= 4 ? 32 : access.width == 8 ? 16 : 8;
    unsigned passes = 0;
    for (unsigned first = 0; first < warp_size; first += lanes)
        if ((access.mask >> first & (lanes == 32 ? ~Mask{0} : (Mask{1} << lanes) - 1)) != 0) ++passes;
    return {passes, passes, 1};
}

void expand(const Event& event, Access& access) {
    access.kind = trace::access_kind(event.kind);
    access.space = event.space;
    access.width_bytes = event.width;
    access.pc = event.pc;
    access.mask = event.mask;
    access.owner = event.owner;
    unsigned nth = 0;
    for (Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        access.offset[lane] = trace::offset_of(event, lane, nth);
    }
}

}  // namespace

void RequestCounter::add(const Access& access, const Work::Kind& kind, Metrics& to) {
    if (access.mask == 0 || kind.texture) return;
    if (access.kind == AccessKind::atomic) return add_atomic(access, kind, to);
    const bool load = access.kind == AccessKind::load;
    if (access.owner != trace::none)
        return add_remote(load ? EventKind::load : EventKind::store, access.mask, to);
    switch (access.space) {
        case Space::global:
            return add_global(load, access.mask, sector_use(access), to);
        case Space::shared: {
            const BankUse use = banks(access, kind.generic ? Addressing::generic : Addressing::shared);
            return add_shared(load, access.mask, {use.wavefronts, use.ideal, use.degree}, to);
        }
        case Space::local:
            ++(load ? to.local_load_requests : to.local_store_requests);
            return;
        case Space::constant:
            return add_constant(access, kind, to);
    }
}

void RequestCounter::add(const Event& access, const Work::Kind& kind, Metrics& to) {
    if (access.mask == 0 || kind.texture) return;
    if (access.kind != EventKind::atomic && access.owner != trace::none)
        return add_remote(access.kind, access.mask, to);
    Range range;
    if (access.kind != EventKind::atomic && access.space == Space::global && one_range(access, range))
        return add_global(access.kind == EventKind::load, access.mask, sectors_of(range), to);
    if (access.kind != EventKind::atomic && access.space == Space::shared && free_of_conflicts(access))
        return add_shared(access.kind == EventKind::load, access.mask, passes_without_conflict(access), to);
    expand(access, lanes_);
    add(lanes_, kind, to);
}

}  // namespace lanescope::analysis
