#include "simt/dot_product.h"

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

// total × 2^unit, cut off to a float.
float cut_off(std::int64_t total, int unit) {
    auto magnitude = static_cast<std::uint64_t>(total < 0 ? -total : total);
    if (magnitude == 0) return 0;
    const int width = static_cast<int>(std::bit_width(magnitude));
    const int drop =
        std::max({0, width - (float_bits + 1), least_float_exponent - float_bits - unit});
    magnitude = drop > 63 ? 0 : magnitude >> drop << drop;
    const double value = static_cast<double>(magnitude) * power_of_two(unit);
    if (value > static_cast<double>(std::numeric_limits<float>::max()))
        return total < 0 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
    return static_cast<float>(total < 0 ? -value : value);
}

// Infinities and NaN follow IEEE arithmetic; every NaN is the canonical one.
float accumulate_special(float sum, const Factor* a, const Factor* b, unsigned count) {
    double total = sum;
    for (unsigned i = 0; i < count; ++i) {
        const double product = a[i].value * b[i].value;
        if (!std::isfinite(product)) total += product;
    }
    return total != total ? std::bit_cast<float>(0x7fffffffu) : static_cast<float>(total);
}

float accumulate_block(float sum, const Factor* a, const Factor* b, unsigned count, int extra_bits) {
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
    return cut_off(total, unit);
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

float accumulate(float sum, const Factor* a, const Factor* b, unsigned count, DotModel model) {
    for (unsigned at = 0; at < count; at += model.block)
        sum = accumulate_block(sum, a + at, b + at, std::min(model.block, count - at), model.extra_bits);
    return sum;
}

}  // namespace lanescope::simt
