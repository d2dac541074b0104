// atom and red (PTX ISA 9.7.13): lanes take effect one after the other, in lane order.
#include <atomic>
#include <cstring>
#include <type_traits>

#include "simt/exec/atomic_result.h"
#include "simt/exec/executors.h"
#include "simt/lanewise/exec.h"
#include "simt/math/semantics.h"
#include "simt/state/access.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Type;

namespace {

// Each computes the new value from the old value and the operands b and c.
template <class T>
struct AtomicAdd {
    static T apply(T old, T b, T) { return op::Add<T>::apply(old, b); }
};
template <class T>
struct FloatAdd {
    static T apply(T old, T b, T) { return with_nan(old + b, b, old); }
};
template <class Format, FloatFormat format>
struct NarrowAdd {
    static Format apply(Format old, Format b, Format) {
        auto number = [](Format f) -> double {
            if constexpr (std::is_same_v<Format, Half>)
                return half_to_float(f.bits);
            else
                return brain_to_float(f.bits);
        };
        const double sum = number(old) + number(b);
        return Format{sum != sum ? std::uint16_t{0x7fff}
                                 : static_cast<std::uint16_t>(round_to(format, sum, Rounding::nearest))};
    }
};
template <class Format, FloatFormat format>
struct NarrowPairAdd {
    static std::uint32_t apply(std::uint32_t old, std::uint32_t b, std::uint32_t) {
        auto half = [&](unsigned shift) {
            auto part = [shift](std::uint32_t v) { return Format{static_cast<std::uint16_t>(v >> shift)}; };
            return std::uint32_t{NarrowAdd<Format, format>::apply(part(old), part(b), {}).bits} << shift;
        };
        return half(0) | half(16);
    }
};
template <class T>
struct Exchange {
    static T apply(T, T b, T) { return b; }
};
template <class T>
struct CompareSwap {
    static T apply(T old, T b, T c) { return old == b ? c : old; }
};
template <class T>
struct AtomicMin {
    static T apply(T old, T b, T) { return op::Min<T>::apply(old, b); }
};
template <class T>
struct AtomicMax {
    static T apply(T old, T b, T) { return op::Max<T>::apply(old, b); }
};
template <class T>
struct AtomicAnd {
    static T apply(T old, T b, T) { return static_cast<T>(old & b); }
};
template <class T>
struct AtomicOr {
    static T apply(T old, T b, T) { return static_cast<T>(old | b); }
};
template <class T>
struct AtomicXor {
    static T apply(T old, T b, T) { return static_cast<T>(old ^ b); }
};
struct Increment {
    static std::uint32_t apply(std::uint32_t old, std::uint32_t b, std::uint32_t) {
        return old >= b ? 0 : old + 1;
    }
};
struct Decrement {
    static std::uint32_t apply(std::uint32_t old, std::uint32_t b, std::uint32_t) {
        return old == 0 || old > b ? b : old - 1;
    }
};

// f32 sums in global memory flush subnormal numbers; in shared memory they do not. f64 sums there keep a NaN
// as it is, the operand's before the old one.
template <class O, class T>
T combine_lane(T old, T b, T c, Window window) {
    if constexpr (std::is_same_v<O, FloatAdd<float>>)
        if (window == Window::global) return flushed(O::apply(flushed(old), flushed(b), c));
    if constexpr (std::is_same_v<O, FloatAdd<double>>)
        if (window == Window::global && (old != old || b != b)) return b != b ? b : old;
    return O::apply(old, b, c);
}

// One lane's operation; the old value. `concurrent`: blocks on other threads may be at the same place.
template <class O, class T>
T update(std::byte* at, T b, T c, Window window, bool concurrent, T& next) {
    if (!concurrent || window != Window::global) {
        T old;
        std::memcpy(&old, at, sizeof old);
        next = combine_lane<O>(old, b, c, window);
        std::memcpy(at, &next, sizeof next);
        return old;
    }
    using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t, Lane<T>>;
    const std::atomic_ref<Bits> cell(*reinterpret_cast<Bits*>(at));
    Bits seen = cell.load(std::memory_order_relaxed);
    do {
        next = combine_lane<O>(from_lane<T>(seen), b, c, window);
    } while (
        !cell.compare_exchange_weak(seen, static_cast<Bits>(to_lane<T>(next)), std::memory_order_relaxed));
    return from_lane<T>(seen);
}

template <class O, class T, bool traced>
void atomic(Warp& warp, const Decoded& decoded, Mask mask) {
    Addresses addresses;
    form_addresses(warp, decoded, addresses);
    Targets targets;
    resolve(warp, decoded, mask, addresses, trace::AccessKind::atomic, targets);
    warp.note_poll(warp.run->pc_of(decoded), addresses[first_lane(mask) % warp_size]);
    const auto* b = warp.row<Lane<T>>(decoded.b);
    const auto* c = decoded.c == no_ref ? b : warp.row<Lane<T>>(decoded.c);
    auto* out = decoded.dst == no_ref ? nullptr : warp.row<Lane<T>>(decoded.dst);
    Recorded values;
    for_each_lane(mask, [&](unsigned lane) {
        if (!has_lane(targets.mask, lane)) {
            if (out != nullptr) out[lane] = 0;
            return;
        }
        T next;
        const T old = update<O>(targets.data[lane], from_lane<T>(b[lane]), from_lane<T>(c[lane]),
                                window_of(addresses[lane]), warp.run->concurrent, next);
        if (std::memcmp(&old, &next, sizeof old) != 0) warp.progressed = true;
        const std::uint16_t newly = mark_lane(targets, lane, sizeof(T));
        if constexpr (traced) {
            std::memcpy(values.before.data() + lane * sizeof(T), &old, sizeof old);
            std::memcpy(values.after.data() + lane * sizeof(T), &next, sizeof next);
            values.newly_set[lane] = newly;
        }
        if (out != nullptr) out[lane] = to_lane<T>(old);
    });
    if constexpr (traced)
        record_access(warp, decoded, trace::AccessKind::atomic, targets.mask, addresses, &values);
}

template <class O, class T>
std::uint64_t combined(std::uint64_t old, std::uint64_t b, std::uint64_t c, Window window) {
    const auto value = [](std::uint64_t bits) { return from_lane<T>(static_cast<Lane<T>>(bits)); };
    const T made = combine_lane<O>(value(old), value(b), value(c), window);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &made, sizeof made);
    return bits;
}

// An operation on a type: its executor, and its result for one lane.
struct Form {
    Exec run = nullptr;
    AtomicResult result = nullptr;
};

template <class O, class T>
Form form_of(bool traced) {
    return {traced ? &atomic<O, T, true> : &atomic<O, T, false>, &combined<O, T>};
}

template <template <class> class O>
Form bits_of_type(Type type, bool traced) {
    switch (ptx::size_bytes(type)) {
        case 2:
            return form_of<O<std::uint16_t>, std::uint16_t>(traced);
        case 4:
            return form_of<O<std::uint32_t>, std::uint32_t>(traced);
        case 8:
            return form_of<O<std::uint64_t>, std::uint64_t>(traced);
        default:
            return {};
    }
}
template <template <class> class O>
Form ordered_of_type(Type type, bool traced) {
    switch (type) {
        case Type::u32:
            return form_of<O<std::uint32_t>, std::uint32_t>(traced);
        case Type::s32:
            return form_of<O<std::int32_t>, std::int32_t>(traced);
        case Type::u64:
            return form_of<O<std::uint64_t>, std::uint64_t>(traced);
        case Type::s64:
            return form_of<O<std::int64_t>, std::int64_t>(traced);
        default:
            return {};
    }
}

Form select_add(Type type, bool traced) {
    switch (type) {
        case Type::u32:
        case Type::s32:
            return form_of<AtomicAdd<std::uint32_t>, std::uint32_t>(traced);
        case Type::u64:
        case Type::s64:
            return form_of<AtomicAdd<std::uint64_t>, std::uint64_t>(traced);
        case Type::f32:
            return form_of<FloatAdd<float>, float>(traced);
        case Type::f64:
            return form_of<FloatAdd<double>, double>(traced);
        case Type::f16:
            return form_of<NarrowAdd<Half, half_format>, Half>(traced);
        case Type::bf16:
            return form_of<NarrowAdd<Brain, brain_format>, Brain>(traced);
        case Type::f16x2:
            return form_of<NarrowPairAdd<Half, half_format>, std::uint32_t>(traced);
        case Type::bf16x2:
            return form_of<NarrowPairAdd<Brain, brain_format>, std::uint32_t>(traced);
        default:
            return {};
    }
}

Form select_form(const Instruction& instruction, bool traced) {
    const Type type = instruction.type();
    if (instruction.vector_length() != 1) return {};
    if (instruction.has(Mod::add)) return select_add(type, traced);
    if (instruction.has(Mod::exch)) return bits_of_type<Exchange>(type, traced);
    if (instruction.has(Mod::cas)) return bits_of_type<CompareSwap>(type, traced);
    if (instruction.has(Mod::and_)) return bits_of_type<AtomicAnd>(type, traced);
    if (instruction.has(Mod::or_)) return bits_of_type<AtomicOr>(type, traced);
    if (instruction.has(Mod::xor_)) return bits_of_type<AtomicXor>(type, traced);
    if (instruction.has(Mod::min)) return ordered_of_type<AtomicMin>(type, traced);
    if (instruction.has(Mod::max)) return ordered_of_type<AtomicMax>(type, traced);
    if (type != Type::u32) return {};
    if (instruction.has(Mod::inc)) return form_of<Increment, std::uint32_t>(traced);
    return instruction.has(Mod::dec) ? form_of<Decrement, std::uint32_t>(traced) : Form();
}

}  // namespace

Exec select_atomic(const Instruction& instruction, bool traced) {
    if (instruction.vector_length() == 1 && instruction.type() == Type::b128)
        return select_wide_atomic(instruction);
    return select_form(instruction, traced).run;
}

AtomicResult atomic_result(const Instruction& instruction) {
    return select_form(instruction, false).result;
}

}  // namespace lanescope::simt
