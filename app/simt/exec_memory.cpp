// ld and st (PTX ISA 9.7.9.8-11), parameters of functions.
//
// Fast path: all lanes in one region, aligned, of whose bytes all are set. Everything else goes lane by lane through
// resolve(), which reports what is wrong.
#include <cstring>

#include "simt/access.h"
#include "simt/block.h"
#include "simt/exec.h"
#include "simt/run.h"
#include "simt/select.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

using ptx::Instruction;
using ptx::Mod;
using ptx::Type;

namespace {

// Element of memory E, lanes of the register L. Signed elements extend, others fill with zeros.
template <class E, class L>
L widened(E value) {
    if constexpr (std::is_signed_v<E>) return static_cast<L>(static_cast<std::make_signed_t<L>>(value));
    else return static_cast<L>(value);
}

Ref element_ref(const Decoded& decoded, unsigned element) {
    switch (element) {
        case 0: return decoded.dst;
        case 1: return decoded.b;
        case 2: return decoded.c;
        default: return decoded.e;
    }
}

// The region that holds [low, high) when the fast path applies, else null. The window must match the instruction's.
Region* fast_region(Warp& warp, Window named, std::uint64_t low, std::uint64_t high) {
    const Window window = named == Window::none ? window_of(low) : named;
    Run& run = *warp.run;
    Region* region = nullptr;
    switch (window) {
        case Window::global: return run.global.region(low, high);
        case Window::shared: region = &warp.block->shared; break;
        case Window::constant: return run.constant.region(low, high);
        case Window::parameter: region = &run.parameter_region; break;
        default: return nullptr;
    }
    return region->holds(low, high) ? region : nullptr;
}

struct Extent {
    std::uint64_t low, high, bits;
};
// Least and greatest address of the lanes, and all their bits.
inline Extent extent_of(Mask mask, const Addresses& addresses) {
    const std::uint64_t first = addresses[first_lane(mask) % warp_size];
    std::uint64_t low = first, high = first, bits = first;
    if (mask == all_lanes) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint64_t address = addresses[lane];
            low = address < low ? address : low;
            high = address > high ? address : high;
            bits |= address;
        }
    } else {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint64_t address = mask >> lane & 1 ? addresses[lane] : first;
            low = address < low ? address : low;
            high = address > high ? address : high;
            bits |= address;
        }
    }
    return {low, high, bits};
}

template <class E>
E fetch(const std::byte* from) {
    E value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class E, class L>
void load_slowly(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses) {
    Targets targets;
    resolve(warp, decoded, mask, addresses, trace::AccessKind::load, targets);
    for (unsigned k = 0; k < decoded.count; ++k) {
        const Ref ref = element_ref(decoded, k);
        if (ref == no_ref) continue;
        L* out = warp.row<L>(ref);
        for_each_lane(mask, [&](unsigned lane) {
            out[lane] = has_lane(targets.mask, lane) ? widened<E, L>(fetch<E>(targets.data[lane] + k * sizeof(E))) : L{0};
        });
    }
    record_access(warp, decoded, trace::AccessKind::load, targets.mask, addresses, nullptr);
}

template <class E, class L>
void load_quickly(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses, const Region& region,
                  const Extent& extent) {
    const unsigned width = decoded.width;
    const std::byte* data = region.data;
    for (unsigned k = 0; k < decoded.count; ++k) {
        const Ref ref = element_ref(decoded, k);
        if (ref == no_ref) continue;
        L* out = warp.row<L>(ref);
        const std::uint64_t base = region.base - k * sizeof(E);
        if (extent.low == extent.high) {
            const L value = widened<E, L>(fetch<E>(data + (extent.low - base)));
            write_lanes(out, mask, [value](unsigned) { return value; });
        } else if (mask == all_lanes && extent.high - extent.low == std::uint64_t{width} * (warp_size - 1) &&
                   decoded.count == 1 && [&] {
                       std::uint64_t wrong = 0;
                       for (unsigned lane = 0; lane < warp_size; ++lane)
                           wrong |= addresses[lane] ^ (extent.low + lane * sizeof(E));
                       return wrong == 0;
                   }()) {
            E values[warp_size];
            std::memcpy(values, data + (extent.low - base), sizeof values);
            for (unsigned lane = 0; lane < warp_size; ++lane) out[lane] = widened<E, L>(values[lane]);
        } else {
            for_each_lane(mask, [&](unsigned lane) { out[lane] = widened<E, L>(fetch<E>(data + (addresses[lane] - base))); });
        }
    }
}

bool all_set(const Region& region, Mask mask, const Addresses& addresses, unsigned width) {
    if (region.unset_bytes == 0) return true;
    const std::uint32_t ones = (1u << width) - 1;
    std::uint32_t present = ones;
    for_each_lane(mask, [&](unsigned lane) { present &= set_bits(region.set, addresses[lane] - region.base, width); });
    return present == ones;
}

template <class E, class L, bool traced>
void load(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    if (decoded.synchronises) warp.polled = true;
    const Extent extent = extent_of(mask, addresses);
    const unsigned width = decoded.width;
    if ((extent.bits & (width - 1)) == 0) {
        Region* region = fast_region(warp, decoded.window, extent.low, extent.high + width);
        if (region != nullptr && all_set(*region, mask, addresses, width)) {
            load_quickly<E, L>(warp, decoded, mask, addresses, *region, extent);
            if constexpr (traced) record_access(warp, decoded, trace::AccessKind::load, mask, addresses, nullptr);
            return;
        }
    }
    load_slowly<E, L>(warp, decoded, mask, addresses);
}

template <class E, class L, bool traced>
void store_slowly(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses) {
    Targets targets;
    resolve(warp, decoded, mask, addresses, trace::AccessKind::store, targets);
    const unsigned width = decoded.width;
    const L* rows[4] = {};
    for (unsigned k = 0; k < decoded.count; ++k) rows[k] = warp.row<L>(element_ref(decoded, k));
    Recorded values;
    for_each_lane(targets.mask, [&](unsigned lane) {
        E elements[4];
        for (unsigned k = 0; k < decoded.count; ++k) elements[k] = static_cast<E>(rows[k][lane]);
        if constexpr (traced) std::memcpy(values.before.data() + lane * width, targets.data[lane], width);
        std::memcpy(targets.data[lane], elements, width);
        const std::uint16_t newly = mark_lane(targets, lane, width);
        if constexpr (traced) {
            std::memcpy(values.after.data() + lane * width, elements, width);
            values.newly_set[lane] = newly;
        }
    });
    if constexpr (traced) record_access(warp, decoded, trace::AccessKind::store, targets.mask, addresses, &values);
}

// Bits of the bytes that a store makes set; the region loses as many unset bytes.
void mark_lanes(Region& region, Mask mask, const Addresses& addresses, unsigned width) {
    const std::uint32_t ones = (1u << width) - 1;
    std::uint64_t newly = 0;
    for_each_lane(mask, [&](unsigned lane) {
        const std::uint64_t offset = addresses[lane] - region.base;
        newly += static_cast<unsigned>(std::popcount(~set_bits(region.set, offset, width) & ones));
        mark_set(region.set, offset, width);
    });
    region.unset_bytes -= newly;
}

template <class E, class L, bool traced>
void store(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    warp.progressed = true;
    if constexpr (!traced) {
        const Extent extent = extent_of(mask, addresses);
        const unsigned width = decoded.width;
        Region* region = (extent.bits & (width - 1)) == 0
                             ? fast_region(warp, decoded.window, extent.low, extent.high + width) : nullptr;
        if (region != nullptr && region != &warp.run->parameter_region && region->base >> 32 != window::constant >> 32) {
            for (unsigned k = 0; k < decoded.count; ++k) {
                const L* row = warp.row<L>(element_ref(decoded, k));
                std::byte* data = region->data + k * sizeof(E);
                for_each_lane(mask, [&](unsigned lane) {
                    const E value = static_cast<E>(row[lane]);
                    std::memcpy(data + (addresses[lane] - region->base), &value, sizeof value);
                });
            }
            if (region->unset_bytes != 0) mark_lanes(*region, mask, addresses, width);
            return;
        }
    }
    store_slowly<E, L, traced>(warp, decoded, mask, addresses);
}

// Parameters and results of functions lie in the frame: lane i at a + imm + i × target bytes.
template <class E, class L>
void load_slot(Warp& warp, const Decoded& decoded, Mask mask) {
    const std::byte* from = warp.row<std::byte>(decoded.a) + decoded.imm;
    const std::size_t stride = decoded.target;
    for (unsigned k = 0; k < decoded.count; ++k) {
        const Ref ref = element_ref(decoded, k);
        if (ref == no_ref) continue;
        L* out = warp.row<L>(ref);
        if (stride == sizeof(E))
            write_lanes(out, mask, [=](unsigned lane) { return widened<E, L>(fetch<E>(from + lane * sizeof(E))); });
        else
            for_each_lane(mask, [&](unsigned lane) { out[lane] = widened<E, L>(fetch<E>(from + lane * stride + k * sizeof(E))); });
    }
}
template <class E, class L>
void store_slot(Warp& warp, const Decoded& decoded, Mask mask) {
    std::byte* to = warp.row<std::byte>(decoded.a) + decoded.imm;
    const std::size_t stride = decoded.target;
    for (unsigned k = 0; k < decoded.count; ++k) {
        const L* row = warp.row<L>(element_ref(decoded, k));
        for_each_lane(mask, [&](unsigned lane) {
            const E value = static_cast<E>(row[lane]);
            std::memcpy(to + lane * stride + k * sizeof(E), &value, sizeof value);
        });
    }
}

// Calls make.operator()<Element, Lane>() for the type of a load or store.
template <bool loads, class Make>
Exec for_element(Type type, bool wide, Make make) {
    using std::uint32_t, std::uint64_t;
    switch (ptx::size_bytes(type)) {
        case 1:
            if (loads && type == Type::s8) return wide ? make.template operator()<std::int8_t, uint64_t>() : make.template operator()<std::int8_t, uint32_t>();
            return wide ? make.template operator()<std::uint8_t, uint64_t>() : make.template operator()<std::uint8_t, uint32_t>();
        case 2:
            if (loads && type == Type::s16) return wide ? make.template operator()<std::int16_t, uint64_t>() : make.template operator()<std::int16_t, uint32_t>();
            return wide ? make.template operator()<std::uint16_t, uint64_t>() : make.template operator()<std::uint16_t, uint32_t>();
        case 4:
            if (loads && type == Type::s32 && wide) return make.template operator()<std::int32_t, uint64_t>();
            return wide ? make.template operator()<uint32_t, uint64_t>() : make.template operator()<uint32_t, uint32_t>();
        case 8: return wide ? make.template operator()<uint64_t, uint64_t>() : nullptr;
        default: return nullptr;
    }
}

}  // namespace

Exec select_load(const Instruction& instruction, bool wide, bool traced) {
    return for_element<true>(instruction.type(), wide, [traced]<class E, class L>() -> Exec {
        return traced ? &load<E, L, true> : &load<E, L, false>;
    });
}

Exec select_store(const Instruction& instruction, bool wide, bool traced) {
    return for_element<false>(instruction.type(), wide, [traced]<class E, class L>() -> Exec {
        return traced ? &store<E, L, true> : &store<E, L, false>;
    });
}

Exec select_slot_load(const Instruction& instruction, bool wide) {
    return for_element<true>(instruction.type(), wide, []<class E, class L>() -> Exec { return &load_slot<E, L>; });
}

Exec select_slot_store(const Instruction& instruction, bool wide) {
    return for_element<false>(instruction.type(), wide, []<class E, class L>() -> Exec { return &store_slot<E, L>; });
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
