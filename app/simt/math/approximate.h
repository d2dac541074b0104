// Approximate instructions (.approx and .full), for one lane.
//
// Each follows the assembler's code for sm_90: scaling around one step of the special function unit. That
// step is correctly rounded here but not on hardware; tests/parity states the differences.
#pragma once

#include "base/elementary.h"
#include "simt/math/float_semantics.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

// The special function unit: subnormal operands and results are zeros.
namespace unit {

inline float rcp(float a) {
    return flushed(1.0f / flushed(a));
}
inline float sqrt(float a) {
    return std::sqrt(flushed(a));
}
inline float rsqrt(float a) {
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(flushed(a))));
}
inline float lg2(float a) {
    return static_cast<float>(elementary::log2(static_cast<double>(flushed(a))));
}
inline float ex2(float a) {
    return flushed(static_cast<float>(elementary::exp2(static_cast<double>(a))));
}
inline float tanh(float a) {
    return static_cast<float>(elementary::tanh(static_cast<double>(a)));
}
// The angle of a number of turns, of which 25 binary places count.
inline double angle(float turns) {
    constexpr double two_pi = 6.283185307179586;
    const double number = std::trunc(static_cast<double>(turns) * 0x1p25) * 0x1p-25;
    const double part = number - std::nearbyint(number);
    return part == 0 ? std::copysign(0.0, static_cast<double>(turns)) : two_pi * part;
}

}  // namespace unit

namespace approximate {

constexpr float least_normal = 0x1p-126f;

// x / 2π rounded to zero.
inline float turns(float x) {
    const double exact = static_cast<double>(x) * static_cast<double>(std::bit_cast<float>(0x3e22f983u));
    const float near = static_cast<float>(exact);
    return std::fabs(static_cast<double>(near)) > std::fabs(exact) ? std::nextafter(near, 0.0f) : near;
}

struct Sin {
    template <bool ftz>
    static float apply(float a) {
        return static_cast<float>(elementary::sin(unit::angle(turns(a))));
    }
};
struct Cos {
    template <bool ftz>
    static float apply(float a) {
        return static_cast<float>(elementary::cos(unit::angle(turns(a))));
    }
};
struct Tanh {
    template <bool ftz>
    static float apply(float a) {
        return unit::tanh(a);
    }
};
struct Rcp {
    template <bool ftz>
    static float apply(float a) {
        if (ftz) return unit::rcp(a);
        const float size = std::fabs(a);
        const float scale = size > 0x1p126f ? 0.25f : size < least_normal ? 0x1p24f : 1.0f;
        return unit::rcp(a * scale) * scale;
    }
};
struct Sqrt {
    template <bool ftz>
    static float apply(float a) {
        if (!ftz && std::fabs(a) < least_normal) return unit::sqrt(a * 0x1p24f) * 0x1p-12f;
        return unit::sqrt(a);
    }
};
struct Rsqrt {
    template <bool ftz>
    static float apply(float a) {
        if (!ftz && std::fabs(a) < least_normal) return unit::rsqrt(a * 0x1p24f) * 0x1p12f;
        return unit::rsqrt(a);
    }
};
struct Lg2 {
    template <bool ftz>
    static float apply(float a) {
        if (!ftz && std::fabs(a) < least_normal) return unit::lg2(a * 0x1p24f) - 24;
        return unit::lg2(a);
    }
};
struct Ex2 {
    template <bool ftz>
    static float apply(float a) {
        if (ftz || !(a < -126)) return unit::ex2(a);
        const float root = unit::ex2(a * 0.5f);
        return root * root;
    }
};

// div.approx and div.full: the second also scales large divisors, whose reciprocal would vanish.
template <bool full>
struct Div {
    template <bool ftz>
    static float apply(float a, float b) {
        if (ftz) {
            a = flushed(a);
            b = flushed(b);
        }
        float scale = 1;
        if (full && std::fabs(b) > 0x1p126f) scale = 0.25f;
        if (!ftz && std::fabs(b) < least_normal) scale = 0x1p24f;
        const float product = a * scale * unit::rcp(b * scale);
        return ftz ? flushed(product) : product;
    }
};

// .approx.ftz.f64 of rcp and rsqrt: the high halves of operand and result count, the result's low half is
// zero.
inline double high_half(double value) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~0xffffffffull);
}
inline double without_subnormal(double value) {
    return std::fabs(value) < 0x1p-1022 ? std::copysign(0.0, value) : value;
}
inline double high_result(double value) {
    return value == value ? high_half(without_subnormal(value))
                          : std::bit_cast<double>(0x7fffffff00000000ull);
}
struct Rcp64 {
    using Type = double;
    static double apply(double a) { return high_result(1 / without_subnormal(high_half(a))); }
};
struct Rsqrt64 {
    using Type = double;
    static double apply(double a) { return high_result(1 / std::sqrt(without_subnormal(high_half(a)))); }
};
// One step of Newton's method, whose error is computed with twice the digits.
inline double inverse_root(double a) {
    if (!(a > 0) || std::isinf(a)) return 1 / std::sqrt(a);
    int exponent = 0;
    double m = std::frexp(a, &exponent);
    if (exponent % 2 != 0) {
        m *= 2;
        --exponent;
    }
    const double near = 1 / std::sqrt(m), square = near * near, product = m * square;
    const double rest = fused(m, square, -product) + m * fused(near, near, -square);
    const double error = (1 - product) - rest;  // 1 - m × near²
    return std::ldexp(fused(near * error, 0.5, near), -exponent / 2);
}
struct RsqrtFull64 {
    using Type = double;
    static double apply(double a) { return with_nan(inverse_root(a), a); }
};

}  // namespace approximate

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
