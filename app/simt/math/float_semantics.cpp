#include "simt/math/float_semantics.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

namespace {

template <class T>
T rounded(const ExactOf<T>& x, Rounding rounding) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<T>(static_cast<Bits>(round_to(format_of<T>, x, rounding)));
}
template <class T>
ExactOf<T> number(T value) {
    return exact<Significand<T>>(value);
}

}  // namespace

std::uint32_t round_to(FloatFormat format, double value, Rounding rounding) {
    const auto infinity = static_cast<std::uint32_t>(format.infinity());
    if (value != value) return infinity | ((1u << format.mantissa_bits) - 1);
    if (std::isinf(value))
        return infinity | (std::signbit(value) ? 1u << (format.mantissa_bits + format.exponent_bits) : 0);
    return static_cast<std::uint32_t>(round_to(format, exact<std::uint64_t>(value), rounding));
}

std::uint64_t round_integer(FloatFormat format, bool negative, std::uint64_t size, Rounding rounding) {
    return round_to(format, Exact<std::uint64_t>{negative, size, 0}, rounding);
}

double fused(double a, double b, double c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return std::fma(a, b, c);
#else
    return op::FFma<double>::apply(Rounding::nearest, a, b, c);
#endif
}

// Infinities, NaN and divisions by zero are exact in every direction.
namespace op {

template <class T>
T FAdd<T>::apply(Rounding rounding, T a, T b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return a + b;
    return rounded<T>(exact_sum(number(a), number(b), rounding), rounding);
}
template <class T>
T FMul<T>::apply(Rounding rounding, T a, T b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return a * b;
    return rounded<T>(exact_product(number(a), number(b)), rounding);
}
template <class T>
T FDiv<T>::apply(Rounding rounding, T a, T b) {
    if (!std::isfinite(a) || !std::isfinite(b) || b == 0) return a / b;
    return rounded<T>(exact_quotient<T>(number(a), number(b)), rounding);
}
template <class T>
T FFma<T>::apply(Rounding rounding, T a, T b, T c) {
    if (!std::isfinite(a) || !std::isfinite(b)) return a * b + c;
    if (!std::isfinite(c)) return c;
    return rounded<T>(exact_sum(exact_product(number(a), number(b)), number(c), rounding), rounding);
}
template <class T>
T FSqrt<T>::apply(Rounding rounding, T a) {
    if (!std::isfinite(a) || a <= 0) return std::sqrt(a);
    return rounded<T>(exact_root(a), rounding);
}

template struct FAdd<float>;
template struct FAdd<double>;
template struct FMul<float>;
template struct FMul<double>;
template struct FDiv<float>;
template struct FDiv<double>;
template struct FFma<float>;
template struct FFma<double>;
template struct FSqrt<float>;
template struct FSqrt<double>;

}  // namespace op

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
