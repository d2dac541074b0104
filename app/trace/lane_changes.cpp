#include "trace/lane_changes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::trace {
namespace {

struct Value {
    std::uint64_t low = 0, high = 0;
};

template <unsigned width>
Value load(const std::byte* bytes) {
    Value value;
    std::memcpy(&value.low, bytes, std::min(width, 8u));
    if constexpr (width > 8) std::memcpy(&value.high, bytes + 8, width - 8);
    return value;
}

Value load(const std::byte* bytes, unsigned width) {
    Value value;
    std::memcpy(&value.low, bytes, std::min(width, 8u));
    if (width > 8) std::memcpy(&value.high, bytes + 8, width - 8);
    return value;
}

// Returns a byte 0xff for every set bit.
std::uint64_t spread(unsigned bits) {
    std::uint64_t spread = 0;
    for (unsigned i = 0; i < 8; ++i)
        spread |= std::uint64_t{bits >> i & 1u ? 0xffu : 0u} << 8 * i;
    return spread;
}

template <unsigned width>
void xor_lanes(LaneChanges& out, Mask mask, const std::byte* before, const std::byte* after) {
    unsigned n = 0;
    for (Mask rest = mask; rest != 0; rest &= rest - 1, ++n) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const Value old = load<width>(before + lane * width), now = load<width>(after + lane * width);
        out.low[n] = old.low ^ now.low;
        if constexpr (width > 8) out.high[n] = old.high ^ now.high;
    }
    out.lanes = n;
}

template <unsigned width>
void xor_all_lanes(LaneChanges& out, const std::byte* before, const std::byte* after) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const Value old = load<width>(before + lane * width), now = load<width>(after + lane * width);
        out.low[lane] = old.low ^ now.low;
    }
    out.lanes = warp_size;
}

void xor_lanes(LaneChanges& out, unsigned width, Mask mask, const std::byte* before, const std::byte* after) {
    if (width == 4 && mask == ~Mask{0}) return xor_all_lanes<4>(out, before, after);
    if (width == 8 && mask == ~Mask{0}) return xor_all_lanes<8>(out, before, after);
    switch (width) {
        case 1:
            return xor_lanes<1>(out, mask, before, after);
        case 2:
            return xor_lanes<2>(out, mask, before, after);
        case 4:
            return xor_lanes<4>(out, mask, before, after);
        case 8:
            return xor_lanes<8>(out, mask, before, after);
        case 16:
            return xor_lanes<16>(out, mask, before, after);
        default:
            break;
    }
    for (Mask rest = mask; rest != 0; rest &= rest - 1, ++out.lanes) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const Value old = load(before + lane * width, width), now = load(after + lane * width, width);
        out.low[out.lanes] = old.low ^ now.low;
        out.high[out.lanes] = old.high ^ now.high;
    }
}

// For bytes that had no value, the difference becomes the new value itself.
void drop_old_values(LaneChanges& out, unsigned width, Mask mask, const std::byte* after) {
    unsigned n = 0;
    for (Mask rest = mask; rest != 0; rest &= rest - 1, ++n) {
        if (out.newly[n] == 0) continue;
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const Value now = load(after + lane * width, width);
        const std::uint64_t low = spread(out.newly[n] & 255u), high = spread(out.newly[n] >> 8u);
        out.low[n] = (out.low[n] & ~low) | (now.low & low);
        out.high[n] = (out.high[n] & ~high) | (now.high & high);
    }
}

// Returns true if no two lanes touch the same 16-byte piece and so cannot share a byte.
bool surely_apart(Mask mask, const std::uint64_t* offsets, unsigned width) {
    std::array<std::uint64_t, 16> seen{};
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
        const std::uint64_t offset = offsets[std::countr_zero(rest)];
        const std::uint64_t first = offset >> 4, last = (offset + width - 1) >> 4;
        for (std::uint64_t piece = first;; piece = last) {
            std::uint64_t& word = seen[piece >> 6 & 15];
            const std::uint64_t bit = std::uint64_t{1} << (piece & 63);
            if ((word & bit) != 0) return false;
            word |= bit;
            if (piece == last) break;
        }
    }
    return true;
}

// Corrects the bytes of the nth lane that an earlier lane wrote: their old value is what that lane wrote.
void follow(LaneChanges& out, unsigned width, const std::uint8_t* lanes, const std::uint64_t* offsets,
            const std::byte* after, unsigned n) {
    std::byte delta[16] = {};
    std::memcpy(delta, &out.low[n], 8);
    std::memcpy(delta + 8, &out.high[n], 8);
    unsigned pending = (1u << width) - 1;
    const std::uint64_t offset = offsets[lanes[n]];
    for (unsigned earlier = n; earlier-- > 0 && pending != 0;) {
        const std::uint64_t apart =
            offset - offsets[lanes[earlier]] + width - 1;  // up to 2 × width - 2: overlap
        if (apart > 2 * width - 2) continue;
        for (unsigned i = 0; i < width; ++i) {
            const std::uint64_t byte = offset + i - offsets[lanes[earlier]];
            if (byte >= width || (pending >> i & 1) == 0) continue;
            delta[i] = after[lanes[earlier] * width + byte] ^ after[lanes[n] * width + i];
            out.newly[n] = static_cast<std::uint16_t>(out.newly[n] & ~(1u << i));
            pending &= ~(1u << i);
        }
    }
    std::memcpy(&out.low[n], delta, 8);
    std::memcpy(&out.high[n], delta + 8, 8);
}

void put_in_lane_order(LaneChanges& out, unsigned width, Mask mask, const std::uint64_t* offsets,
                       const std::byte* after) {
    std::array<std::uint8_t, warp_size> lanes{};
    unsigned n = 0;
    for (Mask rest = mask; rest != 0; rest &= rest - 1)
        lanes[n++] = static_cast<std::uint8_t>(std::countr_zero(rest));
    for (unsigned i = 1; i < n; ++i)
        follow(out, width, lanes.data(), offsets, after, i);
}

void choose_newly_form(LaneChanges& out, unsigned width, Mask mask) {
    const unsigned whole = (1u << width) - 1;
    unsigned some = 0, every = whole;
    bool lanes_only = true;
    out.newly_mask = 0;
    unsigned n = 0;
    for (Mask rest = mask; rest != 0; rest &= rest - 1, ++n) {
        some |= out.newly[n];
        every &= out.newly[n];
        lanes_only = lanes_only && (out.newly[n] == 0 || out.newly[n] == whole);
        if (out.newly[n] != 0) out.newly_mask |= rest & (0 - rest);
    }
    out.form = some == 0        ? NewlySet::nothing
               : every == whole ? NewlySet::all
               : lanes_only     ? NewlySet::lanes
                                : NewlySet::bytes;
}

void measure(LaneChanges& out) {
    std::uint64_t low = 0, high = 0, other = 0;
    for (unsigned i = 0; i < out.lanes; ++i) {
        low |= out.low[i];
        high |= out.high[i];
        other |= (out.low[i] ^ out.low[0]) | (out.high[i] ^ out.high[0]);
    }
    out.uniform = other == 0;
    out.bytes = high != 0 ? 8 + significant_bytes(high) : significant_bytes(low);
}

}  // namespace

LaneChanges::LaneChanges(unsigned width, Mask mask, const std::uint64_t* offsets, const std::byte* before,
                         const std::byte* after, const std::uint16_t* newly_set, bool distinct) {
    xor_lanes(*this, width, mask, before, after);
    const std::uint16_t whole = static_cast<std::uint16_t>((1u << width) - 1);
    if (newly_set != nullptr) {
        unsigned n = 0;
        for (Mask rest = mask; rest != 0; rest &= rest - 1)
            newly[n++] = newly_set[std::countr_zero(rest)] & whole;
        drop_old_values(*this, width, mask, after);
    }
    if (!distinct && !surely_apart(mask, offsets, width))
        put_in_lane_order(*this, width, mask, offsets, after);
    if (newly_set != nullptr) choose_newly_form(*this, width, mask);
    measure(*this);
}

}  // namespace lanescope::trace
