#include "trace/event_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "trace/lane_changes.h"

namespace lanescope::trace {
namespace {

constexpr unsigned same_mask_bit = 1u << 4;
constexpr unsigned straight_bit = 1u << 5;

// The active lanes' values as a line: base + (lane - first active lane) × stride.
struct Line {
    bool straight = false;
    std::uint64_t base = 0, stride = 0;
};

template <class ValueOf>
Line fit(Mask mask, ValueOf&& value_of) {
    Line line;
    if (mask == ~Mask{0}) {
        line.base = value_of(0);
        line.stride = value_of(1) - line.base;
        std::uint64_t off = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            off |= value_of(lane) ^ (line.base + lane * line.stride);
        line.straight = off == 0;
        return line;
    }
    const auto first = static_cast<unsigned>(std::countr_zero(mask));
    const Mask others = mask & (mask - 1);
    line.base = value_of(first);
    line.straight = true;
    if (others == 0) return line;
    const unsigned gap = static_cast<unsigned>(std::countr_zero(others)) - first;
    const auto apart = static_cast<std::int64_t>(value_of(first + gap) - line.base);
    line.stride = static_cast<std::uint64_t>(apart / static_cast<std::int64_t>(gap));
    for (Mask rest = others; rest != 0 && line.straight; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        line.straight = value_of(lane) == line.base + (lane - first) * line.stride;
    }
    return line;
}

bool lanes_apart(const Line& line, unsigned width) {
    return line.straight && line.stride + width - 1 > 2 * std::uint64_t{width} - 2;  // |stride| ≥ width
}

unsigned pack(Mask mask, const std::uint64_t* values, std::uint64_t* packed) {
    unsigned n = 0;
    for (Mask rest = mask; rest != 0; rest &= rest - 1)
        packed[n++] = values[std::countr_zero(rest)];
    return n;
}

// Writes `size_bytes` of each value, in order. May write up to 7 bytes beyond.
std::byte* write_packed(std::byte* at, const std::uint64_t* values, unsigned count, unsigned size_bytes) {
    for (unsigned i = 0; i < count; ++i, at += size_bytes)
        std::memcpy(at, &values[i], 8);
    return at;
}

std::byte* write_packed(std::byte* at, const LaneChanges& changes, unsigned count) {
    if (changes.bytes <= 8) return write_packed(at, changes.low.data(), count, changes.bytes);
    for (unsigned i = 0; i < count; ++i, at += changes.bytes) {
        std::memcpy(at, &changes.low[i], 8);
        std::memcpy(at + 8, &changes.high[i], 8);
    }
    return at;
}

}  // namespace

void EventWriter::begin_turn(Mask mask, std::uint32_t pc) {
    turn_mask_ = mask;
    pc_ = pc;
    ordinal_ = 0;
}

void EventWriter::begin(EventKind kind, Mask mask, unsigned extra) {
    at_ = first_ = bytes_.reserve(max_event_bytes);
    byte(static_cast<unsigned>(kind) | extra | (mask == turn_mask_ ? same_mask_bit : 0));
}

void EventWriter::number(std::uint64_t value) {
    for (; value >= 128; value >>= 7)
        byte(static_cast<unsigned>(value & 127) | 128);
    byte(static_cast<unsigned>(value));
}

void EventWriter::raw(const void* from, std::size_t size_bytes) {
    std::memcpy(at_, from, size_bytes);
    at_ += size_bytes;
}

void EventWriter::mask_if_other(Mask mask) {
    if (mask != turn_mask_) raw(&mask, sizeof mask);
}

void EventWriter::place(std::uint32_t pc, std::uint16_t ordinal) {
    const std::uint32_t ordinals = static_cast<std::uint16_t>(ordinal - ordinal_);
    const auto apart = static_cast<std::int32_t>(pc - pc_ - ordinals);
    number(ordinals);
    if (apart == 0)
        *first_ |= static_cast<std::byte>(straight_bit);
    else
        signed_number(static_cast<std::uint64_t>(std::int64_t{apart}));
    pc_ = pc;
    ordinal_ = ordinal;
}

void EventWriter::access(EventKind kind, Space space, std::uint32_t pc, std::uint16_t ordinal, unsigned width,
                         Mask mask, const std::uint64_t* offsets, bool& distinct) {
    begin(kind, mask, static_cast<unsigned>(space) << 6);
    const Line line = fit(mask, [offsets](unsigned lane) { return offsets[lane]; });
    distinct = lanes_apart(line, width);
    std::array<std::uint64_t, warp_size> packed;
    unsigned lanes = 0, code = 0;
    std::uint64_t base = line.base;
    if (!line.straight) {
        lanes = pack(mask, offsets, packed.data());
        std::uint64_t last = base;
        for (unsigned i = 0; i < lanes; ++i) {
            base = std::min(base, packed[i]);
            last = std::max(last, packed[i]);
        }
        code = 1 + static_cast<unsigned>(std::bit_width(significant_bytes(last - base) - 1));
        for (unsigned i = 0; i < lanes; ++i)
            packed[i] -= base;
    }
    byte((width - 1) | code << 4);
    place(pc, ordinal);
    mask_if_other(mask);
    number(base);
    if (code == 0)
        signed_number(line.stride);
    else
        at_ = write_packed(at_, packed.data(), lanes, 1u << (code - 1));
}

void EventWriter::owner(std::uint32_t block) {
    begin(EventKind::owner, turn_mask_);
    number(block);
    finish();
}

void EventWriter::load(Space space, std::uint32_t pc, std::uint16_t ordinal, unsigned width, Mask mask,
                       const std::uint64_t* offsets) {
    bool distinct = false;
    access(EventKind::load, space, pc, ordinal, width, mask, offsets, distinct);
    finish();
}

void EventWriter::change(AccessKind kind, Space space, std::uint32_t pc, std::uint16_t ordinal,
                         unsigned width, Mask mask, const std::uint64_t* offsets,
                         const AccessChange& change) {
    bool distinct = false;
    const EventKind event = kind == AccessKind::atomic ? EventKind::atomic : EventKind::store;
    access(event, space, pc, ordinal, width, mask, offsets, distinct);
    distinct = distinct || space == Space::local;  // every lane has its own local memory
    lane_changes({width, mask, offsets, change.before, change.after, change.newly_set, distinct});
}

void EventWriter::forget_local(std::uint64_t offset, unsigned width, Mask mask, const std::byte* old,
                               const std::uint16_t* set) {
    std::array<std::uint64_t, warp_size> offsets;
    offsets.fill(offset);
    bool distinct = false;
    access(EventKind::forget, Space::local, pc_, ordinal_, width, mask, offsets.data(), distinct);
    // A byte that gains a value has the same difference as one that loses it.
    constexpr std::array<std::byte, warp_size * 16> nothing{};
    lane_changes({width, mask, offsets.data(), nothing.data(), old, set, true});
}

void EventWriter::lane_changes(const LaneChanges& changes) {
    byte(changes.bytes | static_cast<unsigned>(changes.form) << 5 | (changes.uniform ? 128u : 0u));
    if (changes.form == NewlySet::lanes) raw(&changes.newly_mask, sizeof changes.newly_mask);
    if (changes.form == NewlySet::bytes) raw(changes.newly.data(), 2 * changes.lanes);
    at_ = write_packed(at_, changes, changes.uniform ? 1 : changes.lanes);
    finish();
}

void EventWriter::variable(std::uint32_t slot, std::uint32_t depth, std::uint32_t slot_base, Mask mask,
                           const std::uint64_t* before, const std::uint64_t* after, Mask newly_set) {
    const NewlySet newly = newly_set == 0      ? NewlySet::nothing
                           : newly_set == mask ? NewlySet::all
                                               : NewlySet::lanes;
    const Line line = fit(mask, [&](unsigned lane) { return after[lane] - before[lane]; });
    begin(EventKind::variable, mask, static_cast<unsigned>(newly) << 6 | (line.straight ? 1u << 5 : 0u));
    mask_if_other(mask);
    number(std::uint64_t{slot} << 1 | (depth != 0));
    if (depth != 0) {
        number(depth);
        number(slot_base);
    }
    if (newly == NewlySet::lanes) raw(&newly_set, sizeof newly_set);
    if (line.straight) {
        signed_number(line.base);
        signed_number(line.stride);
        return finish();
    }
    std::array<std::uint64_t, warp_size> packed;
    unsigned lanes = 0;
    std::uint64_t all = 0;
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        all |= packed[lanes++] = after[lane] ^ before[lane];
    }
    const unsigned size = significant_bytes(all);
    byte(size);
    at_ = write_packed(at_, packed.data(), lanes, size);
    finish();
}

void EventWriter::unset(std::uint64_t slot, Mask mask) {
    begin(EventKind::unset, mask);
    mask_if_other(mask);
    number(slot);
    finish();
}

void EventWriter::branch(std::uint32_t pc, std::uint16_t ordinal, Mask active, Mask taken) {
    const unsigned form = taken == 0 ? 0 : taken == active ? 1 : 2;
    begin(EventKind::branch, active, form << 6);
    place(pc, ordinal);
    mask_if_other(active);
    if (form == 2) raw(&taken, sizeof taken);
    finish();
}

void EventWriter::jump(std::uint32_t pc, std::uint16_t ordinal) {
    begin(EventKind::jump, turn_mask_);
    place(pc, ordinal);
    ++ordinal_;
    finish();
}

void EventWriter::exchange(std::uint32_t pc, std::uint16_t ordinal, Mask mask, const std::uint8_t* source) {
    begin(EventKind::exchange, mask);
    place(pc, ordinal);
    mask_if_other(mask);
    std::array<std::uint8_t, 21> packed{};
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const unsigned bits = (source[lane] & 31u) << lane * 5 % 8;
        packed[lane * 5 / 8] = static_cast<std::uint8_t>(packed[lane * 5 / 8] | bits);
        packed[lane * 5 / 8 + 1] = static_cast<std::uint8_t>(packed[lane * 5 / 8 + 1] | bits >> 8);
    }
    raw(packed.data(), 20);
    finish();
}

void EventWriter::sync(SyncKind kind, std::uint32_t pc, std::uint16_t ordinal, Mask mask, unsigned detail) {
    begin(EventKind::sync, mask, static_cast<unsigned>(kind) << 6);
    place(pc, ordinal);
    mask_if_other(mask);
    number(detail);
    finish();
}

void EventWriter::push(Mask mask, std::uint32_t function, std::uint32_t local_base) {
    frame(EventKind::push, mask, function, local_base);
}

void EventWriter::pop(Mask mask, std::uint32_t function, std::uint32_t local_base) {
    frame(EventKind::pop, mask, function, local_base);
}

void EventWriter::frame(EventKind kind, Mask mask, std::uint32_t function, std::uint32_t local_base) {
    begin(kind, mask);
    mask_if_other(mask);
    number(function);
    number(local_base);
    finish();
}

void EventWriter::exit(Mask mask, std::uint16_t ordinal) {
    begin(EventKind::exit, mask);
    raw(&ordinal, sizeof ordinal);
    mask_if_other(mask);
    finish();
}

void EventWriter::patch(Space space, std::uint64_t offset, const std::byte* deltas, std::size_t length,
                        const std::byte* newly_set) {
    begin(EventKind::patch, turn_mask_,
          static_cast<unsigned>(space) << 6 | (newly_set != nullptr ? 1u << 5 : 0u));
    number(offset);
    number(length);
    if (newly_set != nullptr) raw(newly_set, (length + 7) / 8);
    raw(deltas, length);
    finish();
}

void EventWriter::launch(std::uint32_t number_of_launch) {
    begin(EventKind::launch, turn_mask_);
    number(number_of_launch);
    finish();
}

}  // namespace lanescope::trace
