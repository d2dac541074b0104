#include "simt/math/dot_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lanescope::simt {

using ptx::Type;

namespace {

constexpr int float_bits = 23, least_float_exponent = -126;

double power_of_two(int exponent) {  // of a normal double
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// Rounds toward zero.
float cut_off(double value) {
    if (std::fabs(value) >= 0x1p128) return static_cast<float>(std::copysign(HUGE_VAL, value));
    const float near = static_cast<float>(value);
    return std::fabs(static_cast<double>(near)) > std::fabs(value) ? std::nextafter(near, 0.0f) : near;
}

// Infinities and NaN follow IEEE arithmetic; every NaN is the canonical one.
double accumulate_special(float sum, const Factor* a, const Factor* b, unsigned count) {
    double total = sum;
    for (unsigned i = 0; i < count; ++i) {
        const double product = a[i].value * b[i].value;
        if (!std::isfinite(product)) total += product;
    }
    return total;
}

// Exact: fewer than 53 bits are kept.
double accumulate_block(float sum, const Factor* a, const Factor* b, unsigned count, int extra_bits) {
    constexpr int none = std::numeric_limits<int>::min();
    int top = sum == 0 ? none : std::max(std::ilogb(sum), least_float_exponent);
    bool finite = std::isfinite(sum);
    for (unsigned i = 0; i < count; ++i) {
        const double product = a[i].value * b[i].value;
        finite = finite && std::isfinite(product);
        if (product != 0) top = std::max(top, a[i].exponent + b[i].exponent);
    }
    if (!finite) return accumulate_special(sum, a, b, count);
    if (top == none) return 0;
    const int unit = top - float_bits - extra_bits;
    const double scale = power_of_two(-unit);
    auto term = [scale](double value) { return static_cast<std::int64_t>(value * scale); };
    std::int64_t total = term(sum);
    for (unsigned i = 0; i < count; ++i)
        total += term(a[i].value * b[i].value);
    return static_cast<double>(total) * power_of_two(unit);
}

}  // namespace

Factor factor_of(double value, int least) {
    return {value, value == 0 || !std::isfinite(value) ? least : std::max(std::ilogb(value), least)};
}

int least_exponent(Type format) {
    switch (format) {
        case Type::f16:
        case Type::e5m2:
            return -14;
        case Type::e4m3:
            return -6;
        default:
            return least_float_exponent;
    }
}

DotModel dot_model(Type format) {
    switch (format) {
        case Type::tf32:
            return {8, 2};
        case Type::e4m3:
        case Type::e5m2:
            return {32, 2};
        default:
            return {16, 2};
    }
}

double accumulate(float sum, const Factor* a, const Factor* b, unsigned count, DotModel model) {
    unsigned at = 0;
    for (; at + model.block < count; at += model.block)
        sum = cut_off(accumulate_block(sum, a + at, b + at, model.block, model.extra_bits));
    return accumulate_block(sum, a + at, b + at, count - at, model.extra_bits);
}

float accumulate_float(float sum, const Factor* a, const Factor* b, unsigned count, DotModel model) {
    const double exact = accumulate(sum, a, b, count, model);
    return exact != exact ? std::bit_cast<float>(0x7fffffffu) : cut_off(exact);
}

}  // namespace lanescope::simt
