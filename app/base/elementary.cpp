#include "base/elementary.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lanescope::elementary {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
// Sums of two doubles.
constexpr double ln2_high = 0x1.62e42feep-1,
                 ln2_low = 0x1.a39ef35793c76p-33;  // 32 bits: products with integers are exact
constexpr double log2_e_high = 0x1.71547652p+0, log2_e_low = 0x1.705fc2eefa2p-33;
constexpr double half_pi_high = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54;

// Coefficients 1 / (first + step * i)!, with alternating signs.
template <int count>
constexpr std::array<double, count> reciprocal_factorials(int first, int step, bool alternates) {
    std::array<double, count> made{};
    double factorial = 1;  // exact up to 18!
    for (int i = 2; i < first; ++i)
        factorial *= i;
    int last = first - 1;
    for (int i = 0; i < count; ++i) {
        for (; last < first + step * i;)
            factorial *= ++last > 1 ? last : 1;
        made[static_cast<std::size_t>(i)] = (alternates && i % 2 == 1 ? -1 : 1) / factorial;
    }
    return made;
}

template <std::size_t count>
double polynomial(const std::array<double, count>& coefficients, double x) {
    double sum = coefficients[count - 1];
    for (std::size_t i = count - 1; i-- > 0;)
        sum = sum * x + coefficients[i];
    return sum;
}

// e^(t + rest) - 1 for |t| ≤ ln 2 / 2 and a much smaller rest.
double small_exponential(double t, double rest) {
    constexpr auto coefficients = reciprocal_factorials<13>(2, 1, false);
    return t + (t * t * polynomial(coefficients, t) + rest * (1 + t));
}

// A number as count × ln 2 + t + rest.
struct Reduced {
    double count, t, rest;
};
Reduced reduced(double x) {
    const double count = std::nearbyint(x * (log2_e_high + log2_e_low));
    const double near = x - count * ln2_high, low = count * ln2_low;
    const double t = near - low;
    return {count, t, (near - t) - low};
}

// sin(x + rest) and cos(x + rest) for |x| ≤ π / 4.
double small_sine(double x, double rest) {
    constexpr auto coefficients = reciprocal_factorials<8>(3, 2, true);  // of the negative sum
    const double square = x * x;
    return x - (square * x * polynomial(coefficients, square) - rest * (1 - 0.5 * square));
}
double small_cosine(double x, double rest) {
    constexpr auto coefficients = reciprocal_factorials<7>(4, 2, true);
    const double square = x * x, half = 0.5 * square, near = 1 - half;
    return near + (((1 - near) - half) + (square * square * polynomial(coefficients, square) - x * rest));
}

// sin(x + quarters × π / 2). The subtraction of the high part is exact.
double sine(double x, int quarters) {
    if (!(std::fabs(x) <= 2 * half_pi_high)) return not_a_number;
    const double count = std::nearbyint(x / half_pi_high);
    const double near = x - count * half_pi_high, rest = -count * half_pi_low;
    const int quadrant = static_cast<int>(count) + quarters;
    const double value = quadrant & 1 ? small_cosine(near, rest) : small_sine(near, rest);
    return quadrant & 2 ? -value : value;
}

}  // namespace

double exp(double x) {
    if (x != x) return x;
    if (x > 710) return infinity;
    if (x < -746) return 0;
    const Reduced r = reduced(x);
    return std::ldexp(1 + small_exponential(r.t, r.rest), static_cast<int>(r.count));
}

double exp2(double x) {
    if (x != x) return x;
    if (x >= 1024) return infinity;
    if (x < -1080) return 0;
    const double count = std::nearbyint(x), part = x - count;
    const double high =
        std::bit_cast<double>(std::bit_cast<std::uint64_t>(part) & ~0xffffffffull);  // 21 bits
    const double exact = high * ln2_high;
    const double rest = part * ln2_low + (part - high) * ln2_high;
    const double t = exact + rest;
    return std::ldexp(1 + small_exponential(t, (exact - t) + rest), static_cast<int>(count));
}

// log x = 2 artanh s with s = (x - 1) / (x + 1), for x between √½ and √2.
double log2(double x) {
    if (!(x > 0)) return x == 0 ? -infinity : not_a_number;
    if (x == infinity) return x;
    int exponent = 0;
    double m = std::frexp(x, &exponent);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        --exponent;
    }
    const double above = m - 1, s = above / (m + 1), square = s * s;
    double sum = 0;
    for (int i = 25; i >= 3; i -= 2)
        sum = (sum + 1.0 / i) * square;
    // 2 s = above - above × s: the first term is exact.
    const double rest = 2 * s * sum - above * s;
    const double high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(above) & ~0xffffffffull);
    const double product = high * log2_e_high;
    const double low = (above - high) * log2_e_high + above * log2_e_low + rest * (log2_e_high + log2_e_low);
    const double total = exponent + product;
    return total + ((exponent - total) + product + low);
}

double tanh(double x) {
    const double size = std::fabs(x);
    if (!(size > 0x1p-28)) return x;  // NaN, too
    if (size > 22) return std::copysign(1.0, x);
    const Reduced r = reduced(2 * size);
    const double power = std::ldexp(1.0, static_cast<int>(r.count));
    const double above = (power - 1) + power * small_exponential(r.t, r.rest);  // e^(2 size) - 1
    return std::copysign(above / (above + 2), x);
}

double sin(double x) {
    return x == 0 ? x : sine(x, 0);
}

double cos(double x) {
    return sine(x, 1);
}

}  // namespace lanescope::elementary
