#include "trace/player.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "trace/replay.h"

namespace lanescope::trace {

void Player::restore(const State& state, std::uint64_t position) {
    state_ = state;
    position_ = position;
    const bool started = state.launch() < trace_->launches.size();
    shape_ = started ? Shape(&trace_->launches[state.launch()]) : Shape();
    pages_dropped_ = 0;
}

void Player::enter(const Turn& turn) {
    // The launches may move in memory while a trace is recorded.
    if (state_.launch() < trace_->launches.size()) shape_.launch = &trace_->launches[state_.launch()];
    place_.block = shape_.block_number(turn.block);
    place_.warp = place_.block * shape_.warps + turn.warp;
    place_.thread = place_.block * shape_.threads + std::uint64_t{turn.warp} * warp_size;
}

bool Player::forward(EventWatcher& watcher) {
    watched_ = {};
    return forward(&watched_, &watcher);
}

bool Player::forward(TurnDetail* detail, EventWatcher* watcher) {
    const Turn& turn = trace_->turns[position_];
    EventReader reader(*trace_, position_);
    enter(turn);
    Event event;
    while (reader.next(event)) {
        if (event.kind == EventKind::launch) {
            if (event.function >= trace_->launches.size()) return false;
            pages_dropped_ += state_.begin_launch(event.function);
            shape_ = Shape(&trace_->launches[event.function]);
            enter(turn);
            continue;
        }
        const bool access =
            detail != nullptr && add_to_detail(*trace_, turn, event, *detail) && is_access(event.kind);
        if (access)
            apply_with_values(event, *detail);
        else
            apply(event, false);
        if (watcher != nullptr) watcher->seen(event, access ? &detail->accesses.back() : nullptr);
    }
    ++position_;
    return !reader.damaged();
}

bool Player::backward() {
    scratch_.clear();
    EventReader reader(*trace_, position_ - 1);
    Event event;
    while (reader.next(event)) {
        if (event.kind == EventKind::launch) return false;
        if (event.kind != EventKind::load) scratch_.push_back(event);
    }
    --position_;
    enter(trace_->turns[position_]);
    for (std::size_t i = scratch_.size(); i-- > 0;)
        apply(scratch_[i], true);
    return true;
}

void Player::apply(const Event& event, bool back) {
    switch (event.kind) {
        case EventKind::store:
        case EventKind::atomic:
        case EventKind::forget:
            return apply_access(event);
        case EventKind::variable:
            return apply_variable(event, back);
        case EventKind::unset:
            *state_.slot_row(shape_, place_.warp, event.slot).set ^= event.mask;
            return;
        case EventKind::push:
            return back ? pop_frame(event) : push_frame(event);
        case EventKind::pop:
            return back ? push_frame(event) : pop_frame(event);
        case EventKind::patch:
            return apply_patch(event);
        default:
            return;
    }
}

std::uint64_t Player::instance(const Event& event, unsigned lane) const {
    if (event.space == Space::shared)
        return event.owner == none ? place_.block : shape_.block_number(event.owner);
    return event.space == Space::local ? place_.thread + lane : 0;
}

void Player::apply_access(const Event& event) {
    if (apply_run(event)) return;
    std::array<State::Spot, warp_size> spots;
    unsigned nth = 0;
    for (Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t offset = offset_of(event, lane, nth);
        spots[nth] = state_.locate(shape_, event.space, instance(event, lane), offset, event.width);
        if (spots[nth].page == nullptr) continue;
        __builtin_prefetch(&spots[nth].page->bytes[spots[nth].at], 1);
        if (event.newly != NewlySet::nothing)
            __builtin_prefetch(&spots[nth].page->set[spots[nth].at / 64], 1);
    }
    nth = 0;
    for (Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::byte* delta = event.deltas + (event.uniform ? 0 : nth * event.delta_bytes);
        const std::uint16_t newly = newly_set_of(event, lane, nth);
        if (spots[nth].page != nullptr)
            State::change(spots[nth], delta, event.delta_bytes, newly);
        else
            state_.change(shape_, event.space, instance(event, lane), offset_of(event, lane, nth), delta,
                          event.delta_bytes, event.width, newly);
    }
}

// Applies the common case page-wise: all 32 lanes side by side, every byte of the difference given.
bool Player::apply_run(const Event& event) {
    const unsigned size = event.width * warp_size;
    if (!event.affine || event.stride != event.width || event.mask != ~Mask{0} || event.uniform ||
        event.delta_bytes != event.width || event.space == Space::local || event.newly > NewlySet::all)
        return false;
    const std::uint64_t granule = std::uint64_t{1} << Shape::granule_bits(event.space);
    if ((event.base & (granule - 1)) + size > granule) return false;
    const std::uint64_t address = shape_.address(event.space, instance(event, 0), event.base);
    Page& page = state_.tree(region_of(event.space)).writable(address >> page_bits);
    const unsigned at = address & (page_bytes - 1);
    for (unsigned i = 0; i < size; ++i)
        page.bytes[at + i] ^= event.deltas[i];
    if (event.newly == NewlySet::nothing) return true;
    for (unsigned bit = at; bit < at + size;) {
        const unsigned count = std::min(64 - bit % 64, at + size - bit);
        const std::uint64_t ones = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        page.set[bit / 64] ^= ones << bit % 64;
        bit += count;
    }
    return true;
}

void Player::apply_with_values(const Event& event, TurnDetail& detail) {
    Access& access = detail.accesses.back();
    unsigned nth = 0;
    for (Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t at = access.offset[lane], of = instance(event, lane);
        const std::span before(access.before[lane].data(), event.width);
        const std::span value(access.value[lane].data(), event.width);
        state_.read(shape_, event.space, of, at, before, {});
        if (event.kind != EventKind::load) {
            const std::byte* delta = event.deltas + (event.uniform ? 0 : nth * event.delta_bytes);
            state_.change(shape_, event.space, of, at, delta, event.delta_bytes, event.width,
                          newly_set_of(event, lane, nth));
        }
        state_.read(shape_, event.space, of, at, value, {});
    }
}

void Player::apply_variable(const Event& event, bool back) {
    const SlotRow row = state_.slot_row(shape_, place_.warp, std::uint64_t{event.slot_base} + event.slot);
    *row.set ^= event.newly_mask;
    auto* values = reinterpret_cast<std::uint64_t*>(row.values);
    if (event.affine) {
        const std::uint64_t base = back ? 0 - event.base : event.base;
        const std::uint64_t stride = back ? 0 - event.stride : event.stride;
        if (event.mask == ~Mask{0})
            for (unsigned lane = 0; lane < warp_size; ++lane)
                values[lane] += base + lane * stride;
        else
            for (Mask rest = event.mask; rest != 0; rest &= rest - 1)
                values[std::countr_zero(rest)] +=
                    base + static_cast<unsigned>(std::countr_zero(rest)) * stride;
        return;
    }
    const std::byte* delta = event.deltas;
    for (Mask rest = event.mask; rest != 0; rest &= rest - 1, delta += event.delta_bytes)
        if (event.delta_bytes != 0) values[std::countr_zero(rest)] ^= load_bytes(delta, event.delta_bytes);
}

void Player::apply_patch(const Event& event) {
    for (std::uint64_t i = 0; i < event.length; i += 8) {
        const auto size = static_cast<unsigned>(std::min<std::uint64_t>(8, event.length - i));
        const bool sets = event.newly == NewlySet::bytes;
        const auto set = sets ? static_cast<unsigned>(event.newly_bytes[i / 8]) & ((1u << size) - 1) : 0u;
        state_.change(shape_, event.space, 0, event.base + i, event.deltas + i, size, size,
                      static_cast<std::uint16_t>(set));
    }
}

std::uint64_t Player::variable(const Event& event, unsigned lane) const {
    std::uint64_t value = 0;
    state_.find_slot(shape_, place_.warp, lane, std::uint64_t{event.slot_base} + event.slot, value);
    return value;
}

std::uint32_t Player::function(unsigned lane, std::uint32_t depth) const {
    return state_.find_frame(shape_, place_.warp, lane, function_row(depth)) - 1;
}

std::uint32_t Player::slots_of(std::uint32_t function) const {
    const auto& functions = trace_->program.functions;
    return function < functions.size() ? functions[function].slots : 0;
}

// Returns the lanes of the mask at the depth of its first lane, and sets `depth` to it.
Mask Player::lanes_alike(Mask mask, std::uint32_t& depth) {
    const std::uint32_t* depths = state_.frame_row(shape_, place_.warp, depth_row);
    depth = depths[std::countr_zero(mask)];
    std::uint32_t different = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        different |= depths[lane] ^ depth;
    if (different == 0) return mask;
    Mask same = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        same |= Mask{depths[lane] == depth} << lane;
    return same & mask;
}

// Adds the number of slots of the lanes' frames at this depth to the first slot of their innermost frames, or
// subtracts it.
void Player::move_slot_base(Mask mask, std::uint32_t depth, bool back) {
    const std::uint32_t* callers = state_.frame_row(shape_, place_.warp, function_row(depth));
    std::uint32_t* bases = state_.frame_row(shape_, place_.warp, base_row);
    std::uint32_t last = 0, slots = slots_of(last - 1);
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if (callers[lane] != last) slots = slots_of((last = callers[lane]) - 1);
        bases[lane] = back ? bases[lane] - slots : bases[lane] + slots;
    }
}

void Player::set_frame(Mask mask, std::uint32_t depth, std::uint32_t function, std::uint32_t local_base) {
    std::uint32_t* functions = state_.frame_row(shape_, place_.warp, function_row(depth));
    std::uint32_t* local_bases = state_.frame_row(shape_, place_.warp, local_base_row(depth));
    if (mask == ~Mask{0}) {
        std::fill_n(functions, warp_size, function);
        std::fill_n(local_bases, warp_size, local_base);
        return;
    }
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
        functions[std::countr_zero(rest)] = function;
        local_bases[std::countr_zero(rest)] = local_base;
    }
}

void Player::push_frame(const Event& event) {
    std::uint32_t depth = 0;
    for (Mask rest = event.mask, same; rest != 0; rest &= ~same) {
        same = lanes_alike(rest, depth);
        std::uint32_t* depths = state_.frame_row(shape_, place_.warp, depth_row);
        for (Mask lanes = same; lanes != 0; lanes &= lanes - 1)
            depths[std::countr_zero(lanes)] = depth + 1;
        if (depth > 0) move_slot_base(same, depth - 1, false);
        set_frame(same, depth, event.function + 1, event.local_base);
    }
}

void Player::pop_frame(const Event& event) {
    std::uint32_t depth = 0;
    for (Mask rest = event.mask, same; rest != 0; rest &= ~same) {
        same = lanes_alike(rest, depth);
        if (depth == 0) continue;  // damaged file
        std::uint32_t* depths = state_.frame_row(shape_, place_.warp, depth_row);
        for (Mask lanes = same; lanes != 0; lanes &= lanes - 1)
            depths[std::countr_zero(lanes)] = depth - 1;
        set_frame(same, depth - 1, 0, 0);
        if (depth > 1) move_slot_base(same, depth - 2, true);
    }
}

}  // namespace lanescope::trace
