// ld and st (PTX ISA 9.7.9.8-11), parameters of functions.
//
// Fast path: all lanes access one region, aligned, and all its bytes are set. All other accesses go lane by
// lane through resolve(), which reports mistakes.
#include <cstring>

#include "simt/lanewise/exec.h"
#include "simt/lanewise/select.h"
#include "simt/state/access.h"
#include "simt/state/block.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

using ptx::Instruction;
using ptx::Mod;
using ptx::Type;

namespace {

// Element of memory E, lanes of the register L. Signed elements extend, others fill with zeros.
template <class E, class L>
L widened(E value) {
    if constexpr (std::is_signed_v<E>)
        return static_cast<L>(static_cast<std::make_signed_t<L>>(value));
    else
        return static_cast<L>(value);
}

Ref element_ref(const Decoded& decoded, unsigned element) {
    switch (element) {
        case 0:
            return decoded.dst;
        case 1:
            return decoded.b;
        case 2:
            return decoded.c;
        default:
            return decoded.e;
    }
}

// Returns the region that holds [low, high) if the fast path applies, else null. The window must match the
// instruction's.
Region* fast_region(Warp& warp, Window named, std::uint64_t low, std::uint64_t high) {
    const Window window = named == Window::none ? window_of(low) : named;
    LaunchContext& run = *warp.run;
    Region* region = nullptr;
    switch (window) {
        case Window::global:
            return run.global.region(low, high);
        case Window::shared:
            region = &warp.block->shared;
            break;
        case Window::constant:
            return run.constant.region(low, high);
        case Window::parameter:
            region = &run.parameter_region;
            break;
        default:
            return nullptr;
    }
    return region->holds(low, high) ? region : nullptr;
}

// How the lanes' addresses lie.
struct Pattern {
    // contiguous: lane i at first + i × width, all lanes active.
    enum class Kind : std::uint8_t { uniform, contiguous, scattered } kind = Kind::scattered;
    Region* region = nullptr;  // null: not for the fast path
};

inline Pattern pattern_of(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses) {
    const unsigned width = decoded.width;
    const std::uint64_t first = addresses[first_lane(mask) % warp_size];
    if (mask == all_lanes && (first & (width - 1)) == 0) {
        std::uint64_t not_apart = 0, not_equal = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            not_apart |= addresses[lane] ^ (first + lane * std::uint64_t{width});
            not_equal |= addresses[lane] ^ first;
        }
        if (not_apart == 0)
            return {Pattern::Kind::contiguous,
                    fast_region(warp, decoded.window, first, first + warp_size * std::uint64_t{width})};
        if (not_equal == 0)
            return {Pattern::Kind::uniform, fast_region(warp, decoded.window, first, first + width)};
    }
    std::uint64_t low = first, high = first, bits = first;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t address = mask >> lane & 1 ? addresses[lane] : first;
        low = address < low ? address : low;
        high = address > high ? address : high;
        bits |= address;
    }
    if ((bits & (width - 1)) != 0) return {};
    Region* region = fast_region(warp, decoded.window, low, high + width);
    return {low == high ? Pattern::Kind::uniform : Pattern::Kind::scattered, region};
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
            out[lane] = has_lane(targets.mask, lane)
                            ? widened<E, L>(fetch<E>(targets.data[lane] + k * sizeof(E)))
                            : L{0};
        });
    }
    record_access(warp, decoded, trace::AccessKind::load, targets.mask, addresses, nullptr);
}

template <class E, class L>
void load_quickly(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses,
                  const Pattern& pattern) {
    const std::byte* data = pattern.region->data;
    for (unsigned k = 0; k < decoded.count; ++k) {
        const Ref ref = element_ref(decoded, k);
        if (ref == no_ref) continue;
        L* out = warp.row<L>(ref);
        const std::uint64_t base = pattern.region->base - k * sizeof(E);
        if (pattern.kind == Pattern::Kind::uniform) {
            const L value = widened<E, L>(fetch<E>(data + (addresses[first_lane(mask) % warp_size] - base)));
            write_lanes(out, mask, [value](unsigned) { return value; });
        } else if (pattern.kind == Pattern::Kind::contiguous && decoded.count == 1) {
            E values[warp_size];
            std::memcpy(values, data + (addresses[0] - base), sizeof values);
            for (unsigned lane = 0; lane < warp_size; ++lane)
                out[lane] = widened<E, L>(values[lane]);
        } else {
            for_each_lane(mask, [&](unsigned lane) {
                out[lane] = widened<E, L>(fetch<E>(data + (addresses[lane] - base)));
            });
        }
    }
}

bool accessed_bytes_set(const Decoded& decoded, Mask mask, const Addresses& addresses,
                        const Pattern& pattern) {
    const Region& region = *pattern.region;
    const unsigned width = decoded.width;
    if (pattern.kind == Pattern::Kind::contiguous)
        return count_uninit(region.set, addresses[0] - region.base, warp_size * width) == 0;
    const std::uint32_t ones = (1u << width) - 1;
    std::uint32_t present = ones;
    for_each_lane(
        mask, [&](unsigned lane) { present &= set_bits(region.set, addresses[lane] - region.base, width); });
    return present == ones;
}

inline bool all_set(const Decoded& decoded, Mask mask, const Addresses& addresses, const Pattern& pattern) {
    return pattern.region->uninit_bytes == 0 || accessed_bytes_set(decoded, mask, addresses, pattern);
}

template <class E, class L, bool traced>
void load(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    if (decoded.synchronises)
        warp.note_poll(warp.run->pc_of(decoded), addresses[first_lane(mask) % warp_size]);
    const Pattern pattern = pattern_of(warp, decoded, mask, addresses);
    if (pattern.region == nullptr || !all_set(decoded, mask, addresses, pattern))
        return load_slowly<E, L>(warp, decoded, mask, addresses);
    load_quickly<E, L>(warp, decoded, mask, addresses, pattern);
    if constexpr (traced) record_access(warp, decoded, trace::AccessKind::load, mask, addresses, nullptr);
}

// All lanes read one address that is known before the launch: parameters and constants by name.
template <class E, class L, bool traced>
void load_uniform(Warp& warp, const Decoded& decoded, Mask mask) {
    const std::uint64_t address =
        *warp.row<std::uint64_t>(decoded.a) + static_cast<std::uint64_t>(decoded.imm);
    Region* region = decoded.window == Window::parameter
                         ? &warp.run->parameter_region
                         : fast_region(warp, decoded.window, address, address + decoded.width);
    if (traced || decoded.count != 1 || region == nullptr || region->uninit_bytes != 0 ||
        (address & (decoded.width - 1)) != 0 || !region->holds(address, address + decoded.width))
        return load<E, L, traced>(warp, decoded, mask);
    const L value = widened<E, L>(fetch<E>(region->data + (address - region->base)));
    write_lanes(warp.row<L>(decoded.dst), mask, [value](unsigned) { return value; });
}

template <class E, class L, bool traced>
void store_slowly(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses) {
    Targets targets;
    resolve(warp, decoded, mask, addresses, trace::AccessKind::store, targets);
    const unsigned width = decoded.width;
    const L* rows[4] = {};
    for (unsigned k = 0; k < decoded.count; ++k)
        rows[k] = warp.row<L>(element_ref(decoded, k));
    Recorded values;
    for_each_lane(targets.mask, [&](unsigned lane) {
        E elements[4];
        for (unsigned k = 0; k < decoded.count; ++k)
            elements[k] = static_cast<E>(rows[k][lane]);
        if constexpr (traced) std::memcpy(values.before.data() + lane * width, targets.data[lane], width);
        std::memcpy(targets.data[lane], elements, width);
        const std::uint16_t newly = mark_lane(targets, lane, width);
        if constexpr (traced) {
            std::memcpy(values.after.data() + lane * width, elements, width);
            values.newly_set[lane] = newly;
        }
    });
    if constexpr (traced)
        record_access(warp, decoded, trace::AccessKind::store, targets.mask, addresses, &values);
}

// Marks the stored bytes as set and counts the region's unset bytes.
void mark_lanes(const Decoded& decoded, Mask mask, const Addresses& addresses, const Pattern& pattern) {
    Region& region = *pattern.region;
    const unsigned width = decoded.width;
    if (pattern.kind == Pattern::Kind::contiguous) {
        const std::uint64_t first = addresses[0] - region.base, count = warp_size * std::uint64_t{width};
        region.uninit_bytes -= count_uninit(region.set, first, count);
        return mark_range(region.set, first, count);
    }
    const std::uint32_t ones = (1u << width) - 1;
    std::uint64_t newly = 0;
    for_each_lane(mask, [&](unsigned lane) {
        const std::uint64_t offset = addresses[lane] - region.base;
        newly += static_cast<unsigned>(std::popcount(~set_bits(region.set, offset, width) & ones));
        mark_set(region.set, offset, width);
    });
    region.uninit_bytes -= newly;
}

template <class E, class L>
void store_quickly(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses,
                   const Pattern& pattern) {
    for (unsigned k = 0; k < decoded.count; ++k) {
        const L* row = warp.row<L>(element_ref(decoded, k));
        std::byte* data = pattern.region->data + k * sizeof(E);
        if (pattern.kind == Pattern::Kind::contiguous && decoded.count == 1) {
            E values[warp_size];
            for (unsigned lane = 0; lane < warp_size; ++lane)
                values[lane] = static_cast<E>(row[lane]);
            std::memcpy(data + (addresses[0] - pattern.region->base), values, sizeof values);
            continue;
        }
        for_each_lane(mask, [&](unsigned lane) {
            const E value = static_cast<E>(row[lane]);
            std::memcpy(data + (addresses[lane] - pattern.region->base), &value, sizeof value);
        });
    }
    if (pattern.region->uninit_bytes != 0) mark_lanes(decoded, mask, addresses, pattern);
}

bool may_write(const Region& region) {
    return region.base >= window::global || window_of(region.base) == Window::shared;
}

// The same for a trace, lane after lane: the second of two lanes at one address reads the first lane's value.
template <class E, class L>
void store_recorded(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses,
                    const Pattern& pattern) {
    const unsigned width = decoded.width;
    const L* rows[4] = {};
    for (unsigned k = 0; k < decoded.count; ++k)
        rows[k] = warp.row<L>(element_ref(decoded, k));
    Region& region = *pattern.region;
    const bool any_uninit = region.uninit_bytes != 0;
    Recorded values;
    for_each_lane(mask, [&](unsigned lane) {
        const std::uint64_t offset = addresses[lane] - region.base;
        std::byte *before = values.before.data() + lane * width, *after = values.after.data() + lane * width;
        for (unsigned k = 0; k < decoded.count; ++k) {
            std::byte* to = region.data + offset + k * sizeof(E);
            const E value = static_cast<E>(rows[k][lane]);
            std::memcpy(before + k * sizeof(E), to, sizeof(E));
            std::memcpy(after + k * sizeof(E), &value, sizeof(E));
            std::memcpy(to, &value, sizeof(E));
        }
        if (!any_uninit) return;
        const std::uint32_t ones = (1u << width) - 1;
        const std::uint32_t missing = ~set_bits(region.set, offset, width) & ones;
        values.newly_set[lane] = static_cast<std::uint16_t>(missing);
        mark_set(region.set, offset, width);
        region.uninit_bytes -= static_cast<unsigned>(std::popcount(missing));
    });
    record_access(warp, decoded, trace::AccessKind::store, mask, addresses, &values);
}

template <class E, class L, bool traced>
void store(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    // A loop that only writes its own local memory may still be waiting for others.
    if (decoded.window != Window::local &&
        window_of(addresses[first_lane(mask) % warp_size]) != Window::local)
        warp.progressed = true;
    const Pattern pattern = pattern_of(warp, decoded, mask, addresses);
    if (pattern.region != nullptr && may_write(*pattern.region)) {
        if constexpr (traced)
            return store_recorded<E, L>(warp, decoded, mask, addresses, pattern);
        else
            return store_quickly<E, L>(warp, decoded, mask, addresses, pattern);
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
            write_lanes(out, mask,
                        [=](unsigned lane) { return widened<E, L>(fetch<E>(from + lane * sizeof(E))); });
        else
            for_each_lane(mask, [&](unsigned lane) {
                out[lane] = widened<E, L>(fetch<E>(from + lane * stride + k * sizeof(E)));
            });
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
            if (loads && type == Type::s8)
                return wide ? make.template operator()<std::int8_t, uint64_t>()
                            : make.template operator()<std::int8_t, uint32_t>();
            return wide ? make.template operator()<std::uint8_t, uint64_t>()
                        : make.template operator()<std::uint8_t, uint32_t>();
        case 2:
            if (loads && type == Type::s16)
                return wide ? make.template operator()<std::int16_t, uint64_t>()
                            : make.template operator()<std::int16_t, uint32_t>();
            return wide ? make.template operator()<std::uint16_t, uint64_t>()
                        : make.template operator()<std::uint16_t, uint32_t>();
        case 4:
            if (loads && type == Type::s32 && wide) return make.template operator()<std::int32_t, uint64_t>();
            return wide ? make.template operator()<uint32_t, uint64_t>()
                        : make.template operator()<uint32_t, uint32_t>();
        case 8:
            return wide ? make.template operator()<uint64_t, uint64_t>() : nullptr;
        default:
            return nullptr;
    }
}

}  // namespace

Exec select_load(const Instruction& instruction, bool wide, bool uniform, bool traced) {
    return for_element<true>(instruction.type(), wide, [uniform, traced]<class E, class L>() -> Exec {
        if (uniform) return traced ? &load_uniform<E, L, true> : &load_uniform<E, L, false>;
        return traced ? &load<E, L, true> : &load<E, L, false>;
    });
}

Exec select_store(const Instruction& instruction, bool wide, bool traced) {
    return for_element<false>(instruction.type(), wide, [traced]<class E, class L>() -> Exec {
        return traced ? &store<E, L, true> : &store<E, L, false>;
    });
}

Exec select_slot_load(const Instruction& instruction, bool wide) {
    return for_element<true>(instruction.type(), wide,
                             []<class E, class L>() -> Exec { return &load_slot<E, L>; });
}

Exec select_slot_store(const Instruction& instruction, bool wide) {
    return for_element<false>(instruction.type(), wide,
                              []<class E, class L>() -> Exec { return &store_slot<E, L>; });
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
