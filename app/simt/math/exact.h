// Arithmetic in integers that is exact until it rounds once (IEEE 754-2019, clauses 4.3, 5.4.1 and 6.3).
//
// The processor's rounding direction stays at nearest everywhere: WebAssembly has no other, and no compiler
// may then move an operation across a change of the direction.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "simt/math/isa.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

__extension__ typedef unsigned __int128 UInt128;

enum class Rounding : std::uint8_t { nearest, zero, down, up, away };

// A binary format of up to 64 bits.
struct FloatFormat {
    int mantissa_bits;  // stored ones
    int exponent_bits;
    constexpr std::uint64_t infinity() const {
        return ((std::uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
    }
};
constexpr FloatFormat half_format{10, 5};
constexpr FloatFormat brain_format{7, 8};
constexpr FloatFormat tf32_format{10, 8};
constexpr FloatFormat single_format{23, 8};
constexpr FloatFormat double_format{52, 11};
template <class T>
constexpr FloatFormat format_of = sizeof(T) == 4 ? single_format : double_format;

// ±significand × 2^exponent. An odd significand can stand for any number between its even neighbours: what
// was cut off leaves the last bit set. No boundary of a rounding may lie there: significands that are not
// exact have at least two bits more than the format.
template <class W>
struct Exact {
    bool negative;
    W significand;
    int exponent;
};
// Unsigned integers hold a product with at least 14 bits to spare.
template <class T>
using Significand = std::conditional_t<sizeof(T) == 4, std::uint64_t, UInt128>;
template <class T>
using ExactOf = Exact<Significand<T>>;

template <class W>
int width_of(W value) {
    if constexpr (sizeof(W) > 8) {
        const auto high = static_cast<std::uint64_t>(value >> 64);
        return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(value));
    } else {
        return std::bit_width(value);
    }
}
template <class W>
W cut_right(W value, int count) {
    if (count >= static_cast<int>(sizeof(W) * 8)) return value != 0 ? 1 : 0;
    const W kept = value >> count;
    return (kept << count) == value ? kept : kept | 1;
}

// `value` is finite.
template <class W, class T>
Exact<W> exact(T value) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr FloatFormat format = format_of<T>;
    const auto bits = std::bit_cast<Bits>(value);
    const Bits hidden = Bits{1} << format.mantissa_bits;
    const auto field = static_cast<int>(bits >> format.mantissa_bits & ((1u << format.exponent_bits) - 1));
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    return {(bits >> (sizeof(T) * 8 - 1)) != 0, (bits & (hidden - 1)) | (field != 0 ? hidden : 0),
            std::max(field, 1) - bias - format.mantissa_bits};
}

// Whether dropping `quarters` (0 to 3) of the last kept bit, 1 and 3 also for the numbers around them, makes
// the magnitude greater.
inline bool rounds_up(Rounding rounding, bool negative, bool odd, unsigned quarters) {
    switch (rounding) {
        case Rounding::nearest:
            return quarters > 2 || (quarters == 2 && odd);
        case Rounding::away:
            return quarters >= 2;
        case Rounding::zero:
            return false;
        case Rounding::down:
            return negative && quarters != 0;
        case Rounding::up:
            return !negative && quarters != 0;
    }
    return false;
}

// Rounds once into the format; gives sign, exponent and mantissa bits, right-aligned.
template <class W>
std::uint64_t round_to(FloatFormat format, const Exact<W>& x, Rounding rounding) {
    const int stored = format.mantissa_bits;
    const std::uint64_t sign = std::uint64_t{x.negative} << (stored + format.exponent_bits);
    if (x.significand == 0) return sign;
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    const int top = x.exponent + width_of(x.significand) - 1;
    const int least = 1 - bias;  // exponent of the smallest normal number
    const int drop = std::max(top, least) - stored - x.exponent - 2;  // all but the quarters
    const auto quarters =
        static_cast<std::uint64_t>(drop < 0 ? x.significand << -drop : cut_right(x.significand, drop));
    std::uint64_t kept = quarters >> 2;
    if (rounds_up(rounding, x.negative, (kept & 1) != 0, quarters & 3)) ++kept;
    // A normal number's hidden bit adds one to the exponent field; a carry out of the mantissa does the same.
    const std::uint64_t result =
        top < least ? kept : (static_cast<std::uint64_t>(top - least) << stored) + kept;
    if (result < format.infinity()) return sign | result;
    const bool to_infinity = rounding == Rounding::nearest || rounding == Rounding::away ||
                             rounding == (x.negative ? Rounding::down : Rounding::up);
    return sign | (to_infinity ? format.infinity() : format.infinity() - 1);
}

template <class W>
Exact<W> exact_product(const Exact<W>& a, const Exact<W>& b) {
    return {a.negative != b.negative, a.significand * b.significand, a.exponent + b.exponent};
}

// The direction decides the sign of a sum that is exactly zero.
template <class W>
Exact<W> exact_sum(Exact<W> a, Exact<W> b, Rounding rounding) {
    const bool zero_sign = a.negative == b.negative ? a.negative : rounding == Rounding::down;
    if (a.significand == 0) return b.significand == 0 ? Exact<W>{zero_sign, 0, 0} : b;
    if (b.significand == 0) return a;
    // Two places below the top. Operands have more than 14 zeros at their end then: what is cut off in the
    // subtraction of a distant operand leaves an odd number with nearly all places.
    auto lift = [](Exact<W>& x) {
        const int shift = static_cast<int>(sizeof(W) * 8) - 2 - width_of(x.significand);
        x.significand <<= shift;
        x.exponent -= shift;
    };
    lift(a);
    lift(b);
    if (a.exponent < b.exponent) std::swap(a, b);
    b.significand = cut_right(b.significand, a.exponent - b.exponent);
    if (a.negative == b.negative) return {a.negative, a.significand + b.significand, a.exponent};
    if (a.significand == b.significand) return {zero_sign, 0, 0};
    return a.significand > b.significand ? Exact<W>{a.negative, a.significand - b.significand, a.exponent}
                                         : Exact<W>{b.negative, b.significand - a.significand, a.exponent};
}

// b is not zero.
template <class T>
ExactOf<T> exact_quotient(ExactOf<T> a, ExactOf<T> b) {
    constexpr int digits = std::numeric_limits<T>::digits;
    const bool negative = a.negative != b.negative;
    if (a.significand == 0) return {negative, 0, 0};
    const int up = 2 * digits + 8 - width_of(a.significand), down = digits - width_of(b.significand);
    const auto dividend = a.significand << up, divisor = b.significand << down;
    const auto quotient = dividend / divisor;  // of 8 bits more than the format
    return {negative, quotient * divisor == dividend ? quotient : quotient | 1,
            a.exponent - up - (b.exponent - down)};
}

// `value` is positive and finite. The nearest root is at most half a unit away; its square tells the side.
template <class T>
ExactOf<T> exact_root(T value) {
    using W = Significand<T>;
    const Exact<W> x = exact<W>(value), root = exact<W>(std::sqrt(value));
    const W square = root.significand * root.significand;
    const W wanted = x.significand << (x.exponent - 2 * root.exponent);
    const W twice = root.significand << 1;
    // Two bits more than the format, as Exact asks for.
    if (square == wanted) return root;
    return {false, square < wanted ? (twice << 1) + 1 : (twice << 1) - 1, root.exponent - 2};
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
