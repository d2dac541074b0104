#include "simt/math/float_semantics.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

namespace {

// Whether dropping the part `rest` (in units of 2^-64 of the last kept bit) rounds the magnitude up.
bool rounds_up(Rounding rounding, bool negative, bool odd, std::uint64_t rest) {
    constexpr std::uint64_t half = 1ull << 63;
    switch (rounding) {
        case Rounding::nearest:
            return rest > half || (rest == half && odd);
        case Rounding::away:
            return rest >= half;
        case Rounding::zero:
            return false;
        case Rounding::down:
            return negative && rest != 0;
        case Rounding::up:
            return !negative && rest != 0;
    }
    return false;
}

}  // namespace

std::uint32_t round_to(NarrowFormat format, double value, Rounding rounding) {
    const int stored = format.mantissa_bits;
    const std::uint32_t infinity = ((1u << format.exponent_bits) - 1) << stored;
    if (value != value) return infinity | ((1u << stored) - 1);
    const bool negative = std::signbit(value);
    const std::uint32_t sign = negative ? 1u << (stored + format.exponent_bits) : 0;
    if (std::isinf(value)) return sign | infinity;
    if (value == 0) return sign;

    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    const int least = 1 - bias;  // exponent of the smallest normal number
    const int unit = (exponent - 1 < least ? least : exponent - 1) - stored;  // of the last kept bit
    const auto bits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));  // value = bits × 2^(exponent-53)
    const int drop = unit - (exponent - 53);
    std::uint64_t kept = drop >= 64 ? 0 : bits >> drop;
    std::uint64_t rest = 0;
    if (drop > 0 && drop < 64) rest = bits << (64 - drop);
    if (drop == 64) rest = bits;
    if (drop > 64) rest = 1;
    if (rounds_up(rounding, negative, (kept & 1) != 0, rest)) ++kept;

    const std::uint64_t biased = exponent - 1 < least ? 0 : static_cast<std::uint64_t>(exponent - 1 + bias);
    // A normal number's hidden bit adds one to the exponent field; a carry out of the mantissa does the same.
    const std::uint64_t result = biased == 0 ? kept : ((biased - 1) << stored) + kept;
    if (result < infinity) return sign | static_cast<std::uint32_t>(result);
    const bool to_infinity = rounding == Rounding::nearest || rounding == Rounding::away ||
                             (rounding == Rounding::up && !negative) ||
                             (rounding == Rounding::down && negative);
    return sign | (to_infinity ? infinity : infinity - 1);
}

std::uint16_t float_to_half(float value) {
    return static_cast<std::uint16_t>(value != value ? 0x7fffu
                                                     : round_to(half_format, value, Rounding::nearest));
}

std::uint16_t float_to_brain(float value) {
    if (value != value) return 0x7fff;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
