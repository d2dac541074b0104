// The 8-bit float formats e4m3 and e5m2 (OCP 8-bit floating point; PTX ISA 5.2.3).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace lanescope::simt {

inline float e5m2_to_float(std::uint8_t bits) {  // the upper half of an f16
    const unsigned exponent = bits >> 2 & 31, mantissa = bits & 3;
    const float sign = bits & 0x80 ? -1.0f : 1.0f;
    if (exponent == 31) return mantissa == 0 ? sign * INFINITY : std::bit_cast<float>(0x7fffffffu);
    if (exponent == 0) return sign * static_cast<float>(mantissa) * 0x1p-16f;
    return sign * std::ldexp(1.0f + static_cast<float>(mantissa) / 4, static_cast<int>(exponent) - 15);
}

// Without infinities; 0x7f and 0xff are NaN.
inline float e4m3_to_float(std::uint8_t bits) {
    const unsigned exponent = bits >> 3 & 15, mantissa = bits & 7;
    const float sign = bits & 0x80 ? -1.0f : 1.0f;
    if (exponent == 15 && mantissa == 7) return std::bit_cast<float>(0x7fffffffu);
    if (exponent == 0) return sign * static_cast<float>(mantissa) * 0x1p-9f;
    return sign * std::ldexp(1.0f + static_cast<float>(mantissa) / 8, static_cast<int>(exponent) - 7);
}

struct SmallFormat {
    int mantissa_bits, least_exponent;
    float greatest;
};
constexpr SmallFormat e4m3_format{3, -6, 448.0f}, e5m2_format{2, -14, 57344.0f};

// Rounds to nearest even; what is too large becomes the greatest finite number, NaN becomes 0x7f.
inline std::uint8_t small_float(SmallFormat format, float value) {
    if (value != value) return 0x7f;
    const std::uint8_t sign = std::signbit(value) ? 0x80 : 0;
    float magnitude = std::fabs(value);
    if (magnitude >= format.greatest) magnitude = format.greatest;
    if (magnitude == 0) return sign;
    const int exponent = std::max(std::ilogb(magnitude), format.least_exponent);
    // In units of the last bit. A normal number's hidden bit, and a carry, add to the exponent field.
    const auto units =
        static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent)));
    const unsigned field = static_cast<unsigned>(exponent - format.least_exponent) << format.mantissa_bits;
    return static_cast<std::uint8_t>(sign | (field + units));
}

}  // namespace lanescope::simt
