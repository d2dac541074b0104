// The results of PTX floating-point instructions for one lane (PTX ISA 9.0, sections 9.7.3-9.7.5 and cvt).
//
// NaN results, and other results that PTX leaves open, are those measured on an H200 (tests/parity).
// Approximate instructions are in approximate.h.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "simt/math/exact.h"
#include "simt/math/isa.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

// Half precision as bits; all arithmetic goes through float or double, which hold every intermediate exactly
// enough to round once.
struct Half {
    std::uint16_t bits = 0;
};
struct Brain {  // bf16
    std::uint16_t bits = 0;
};

// Rounds once into a format of up to 32 bits; gives sign, exponent and mantissa bits, right-aligned. NaN
// gives the canonical NaN.
std::uint32_t round_to(FloatFormat format, double value, Rounding rounding);
// ±size as the bits of a number of the format.
std::uint64_t round_integer(FloatFormat format, bool negative, std::uint64_t size, Rounding rounding);

inline float half_to_float(std::uint16_t bits) {
    const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16;
    const std::uint32_t exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
    if (exponent == 0)
        return std::copysign(static_cast<float>(mantissa) * 0x1p-24f,
                             std::bit_cast<float>(sign | 0x3f800000u));
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}
inline float brain_to_float(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
}
std::uint16_t float_to_half(float value);  // round to nearest even; NaN gives 0x7fff
std::uint16_t float_to_brain(float value);

inline float flushed(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : value;
}
inline double flushed(double value) {
    return value;
}
// f32 operations give one NaN, whatever their operands (9.7.3).
inline float canonical(float value) {
    return value == value ? value : std::bit_cast<float>(0x7fffffffu);
}
inline double canonical(double value) {
    return value;
}
inline double quieted(double nan) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | 0x8000000000000ull);
}
// When the result is NaN: f64 operations hand an operand's NaN on, made quiet: b's before a's, of fma's
// b, c, a. Without one: the H200's and x86's NaN. Other processors have a positive one.
inline double with_nan(double result) {
    return result == result ? result : std::bit_cast<double>(0xfff8000000000000ull);
}
inline double with_nan(double result, double a) {
    return result != result && a != a ? quieted(a) : with_nan(result);
}
inline double with_nan(double result, double a, double b) {
    return result != result && b != b ? quieted(b) : with_nan(result, a);
}
inline double with_nan(double result, double a, double b, double c) {
    return result != result && b != b ? quieted(b) : with_nan(result, a, c);
}
inline float with_nan(float result, float, float = 0, float = 0) {
    return canonical(result);
}
template <class T>
T saturated(T value) {
    return value > T(0) ? (value < T(1) ? value : T(1)) : T(0);  // NaN gives +0
}

// a × b + c, rounded once to nearest.
inline float fused(float a, float b, float c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return std::fma(a, b, c);
#else
    // The product is exact in double. The sum is rounded to odd, with the error by TwoSum (Knuth), so that
    // the second rounding does the same as a single one (Boldo and Melquiond, Emulation of FMA, 2008).
    const double product = static_cast<double>(a) * static_cast<double>(b), addend = c;
    const double sum = product + addend, rest = sum - product;
    const double error = (product - (sum - rest)) + (addend - rest);
    auto bits = std::bit_cast<std::uint64_t>(sum);
    const bool inexact = error < 0 || error > 0;  // an infinite sum has a NaN here
    if (inexact && (bits & 1) == 0) bits += (error > 0) == (sum > 0) ? 1 : ~std::uint64_t{0};
    return static_cast<float>(std::bit_cast<double>(bits));
#endif
}
double fused(double a, double b, double c);

// Operations with a direction are for T float and double.
namespace op {

template <class T>
struct FAdd {
    static T apply(T a, T b) { return a + b; }
    static T apply(Rounding rounding, T a, T b);
};
template <class T>
struct FSub {
    static T apply(T a, T b) { return a - b; }
    static T apply(Rounding rounding, T a, T b) { return FAdd<T>::apply(rounding, a, -b); }
};
template <class T>
struct FMul {
    static T apply(T a, T b) { return a * b; }
    static T apply(Rounding rounding, T a, T b);
};
template <class T>
struct FDiv {
    static T apply(T a, T b) { return a / b; }
    static T apply(Rounding rounding, T a, T b);
};
template <class T>
struct FFma {
    static T apply(T a, T b, T c) { return fused(a, b, c); }
    static T apply(Rounding rounding, T a, T b, T c);
};
template <class T>
struct FRcp {
    static T apply(T a) { return T(1) / a; }
    static T apply(Rounding rounding, T a) { return FDiv<T>::apply(rounding, 1, a); }
};
template <class T>
struct FSqrt {
    static T apply(T a) { return std::sqrt(a); }
    static T apply(Rounding rounding, T a);
};
// Numbers win over NaN; -0 is less than +0.
template <class T>
struct FMin {
    static T apply(T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        if (a == b) return std::signbit(a) ? a : b;
        return a < b ? a : b;
    }
};
template <class T>
struct FMax {
    static T apply(T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        if (a == b) return std::signbit(a) ? b : a;
        return a > b ? a : b;
    }
};
template <class T>
struct FMinNan {
    static T apply(T a, T b) {
        return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : FMin<T>::apply(a, b);
    }
};
template <class T>
struct FMaxNan {
    static T apply(T a, T b) {
        return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : FMax<T>::apply(a, b);
    }
};
template <class T>
struct FNeg {
    static T apply(T a) { return -a; }
};
template <class T>
struct FAbs {
    static T apply(T a) { return std::fabs(a); }
};

}  // namespace op

// Rounds to an integral value in the given direction.
template <class T>
T integral(T value, Rounding rounding) {
    switch (rounding) {
        case Rounding::zero:
            return std::trunc(value);
        case Rounding::down:
            return std::floor(value);
        case Rounding::up:
            return std::ceil(value);
        case Rounding::away:
            return std::round(value);
        case Rounding::nearest:
            break;
    }
    return std::nearbyint(value);
}

// Float to integer: rounds, then saturates. NaN gives 0 when both are narrow, else the sign bit alone.
template <class I, class F>
I to_integer(F value, Rounding rounding) {
    if (value != value)
        return sizeof(F) == 8 || sizeof(I) == 8 ? static_cast<I>(std::uint64_t{1} << (sizeof(I) * 8 - 1))
                                                : I{0};
    const F rounded = integral(value, rounding);
    constexpr F limit = static_cast<F>(static_cast<double>(I(1) << (sizeof(I) * 8 - 2)) *
                                       (std::numeric_limits<I>::is_signed ? 2.0 : 4.0));
    if (rounded >= limit) return std::numeric_limits<I>::max();
    if (std::numeric_limits<I>::is_signed ? rounded < -limit : rounded < F(0))
        return std::numeric_limits<I>::min();
    return static_cast<I>(rounded);
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
