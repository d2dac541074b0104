// How an instruction is applied to the lanes of a warp: rows in, rows out.
//
// A row holds 32 lanes of 4 or 8 bytes; narrower values lie in 4-byte lanes. Readers cut a lane to their
// type, writers extend by signedness. Cheap operations compute all lanes and blend, so that the compiler can
// use vector registers.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "simt/math/float_semantics.h"
#include "simt/math/isa.h"
#include "simt/program/program.h"
#include "simt/state/warp.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

template <class T>
using Lane = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
inline T from_lane(Lane<T> bits) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
        return std::bit_cast<T>(bits);
    else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>)
        return T{static_cast<std::uint16_t>(bits)};
    else
        return static_cast<T>(bits);
}

template <class T>
inline Lane<T> to_lane(T value) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
        return std::bit_cast<Lane<T>>(value);
    else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>)
        return value.bits;
    else if constexpr (std::is_signed_v<T> && sizeof(T) < 4)
        return static_cast<std::uint32_t>(std::int32_t{value});
    else
        return static_cast<Lane<T>>(value);
}

template <class Op>
concept Sparse = requires {
    Op::sparse;
};

// out[lane] = value(lane) for the lanes of the mask. `value` is evaluated for all lanes and must be total.
template <class L, class F>
inline void write_lanes(L* out, Mask mask, F value) {
    if (mask == all_lanes) {
#pragma GCC ivdep
        for (unsigned lane = 0; lane < warp_size; ++lane)
            out[lane] = value(lane);
        return;
    }
#pragma GCC ivdep
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const L result = value(lane);
        out[lane] = mask >> lane & 1 ? result : out[lane];
    }
}
template <class L, class F>
inline void write_lanes_sparsely(L* out, Mask mask, F value) {
    for_each_lane(mask, [&](unsigned lane) { out[lane] = value(lane); });
}

// Op::apply over operands of the types A, B, C; the result is D.
template <class Op, class D, class A>
void unary(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* a = warp.row<Lane<A>>(decoded.a);
    auto value = [a](unsigned lane) { return to_lane<D>(Op::apply(from_lane<A>(a[lane]))); };
    if constexpr (Sparse<Op>)
        write_lanes_sparsely(warp.row<Lane<D>>(decoded.dst), mask, value);
    else
        write_lanes(warp.row<Lane<D>>(decoded.dst), mask, value);
}
template <class Op, class D, class A, class B>
void binary(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* a = warp.row<Lane<A>>(decoded.a);
    const auto* b = warp.row<Lane<B>>(decoded.b);
    auto value = [a, b](unsigned lane) {
        return to_lane<D>(Op::apply(from_lane<A>(a[lane]), from_lane<B>(b[lane])));
    };
    if constexpr (Sparse<Op>)
        write_lanes_sparsely(warp.row<Lane<D>>(decoded.dst), mask, value);
    else
        write_lanes(warp.row<Lane<D>>(decoded.dst), mask, value);
}
template <class Op, class D, class A, class B, class C>
void ternary(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* a = warp.row<Lane<A>>(decoded.a);
    const auto* b = warp.row<Lane<B>>(decoded.b);
    const auto* c = warp.row<Lane<C>>(decoded.c);
    auto value = [a, b, c](unsigned lane) {
        return to_lane<D>(Op::apply(from_lane<A>(a[lane]), from_lane<B>(b[lane]), from_lane<C>(c[lane])));
    };
    if constexpr (Sparse<Op>)
        write_lanes_sparsely(warp.row<Lane<D>>(decoded.dst), mask, value);
    else
        write_lanes(warp.row<Lane<D>>(decoded.dst), mask, value);
}

// All operands of one type.
template <class Op>
constexpr Exec unary_of = &unary<Op, typename Op::Type, typename Op::Type>;
template <class Op>
constexpr Exec binary_of = &binary<Op, typename Op::Type, typename Op::Type, typename Op::Type>;
template <class Op>
constexpr Exec ternary_of =
    &ternary<Op, typename Op::Type, typename Op::Type, typename Op::Type, typename Op::Type>;

// make.operator()<rounding>() for the instruction's direction.
template <class Make>
Exec in_direction(const ptx::Instruction& instruction, Make make) {
    if (instruction.has(ptx::Mod::rz)) return make.template operator()<Rounding::zero>();
    if (instruction.has(ptx::Mod::rm)) return make.template operator()<Rounding::down>();
    if (instruction.has(ptx::Mod::rp)) return make.template operator()<Rounding::up>();
    return make.template operator()<Rounding::nearest>();
}

// The lanes for which `test` holds, as a mask; evaluated for all lanes.
template <class F>
inline Mask lanes_where(F test) {
    Mask result = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        result |= static_cast<Mask>(test(lane) ? 1u : 0u) << lane;
    return result;
}
inline void write_predicate(Warp& warp, Ref ref, Mask mask, Mask value) {
    Mask& row = warp.predicate(ref);
    row = (row & ~mask) | (value & mask);
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
