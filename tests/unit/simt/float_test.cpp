// Compares floating-point arithmetic in every rounding direction with results rounded from 113-bit
// arithmetic. Tests the rules of the PTX ISA for NaN, signed zero, flushing and saturation.
#include <gtest/gtest.h>

#include <cmath>

#include "one_instruction.h"

namespace lanescope::simt {
namespace float_test {

__extension__ typedef __float128 Quad;
using U16 = std::uint16_t;
using U32 = std::uint32_t;

enum class Way { nearest, zero, down, up };
struct WayName {
    Way way;
    const char* text;
};
constexpr WayName ways[] = {{Way::nearest, "rn"}, {Way::zero, "rz"}, {Way::down, "rm"}, {Way::up, "rp"}};

// Rounds an exact value to the neighbour in T that the direction asks for.
template <class T>
T rounded(Quad exact, Way way) {
    const T nearest = static_cast<T>(exact);
    if (std::isnan(nearest) || static_cast<Quad>(nearest) == exact) return nearest;
    const T infinity = std::numeric_limits<T>::infinity();
    const T below = static_cast<Quad>(nearest) < exact ? nearest : std::nextafter(nearest, -infinity);
    const T above = static_cast<Quad>(nearest) > exact ? nearest : std::nextafter(nearest, infinity);
    switch (way) {
        case Way::nearest:
            return nearest;
        case Way::zero:
            return exact > 0 ? below : above;
        case Way::down:
            return below;
        case Way::up:
            return above;
    }
    return nearest;
}

U32 canonical_bits(float value) {
    return std::isnan(value) ? 0x7fffffffu : std::bit_cast<U32>(value);
}

std::vector<U32> patterns(const std::vector<float>& values) {
    std::vector<U32> bits;
    for (const float value : values)
        bits.push_back(std::bit_cast<U32>(value));
    return bits;
}
float number(U32 bits) {
    return std::bit_cast<float>(bits);
}

const std::vector<float> ordinary{1.0f,  -1.0f,   0.1f,       -0.3f,       3.0f,        1.5f,    7.25f,
                                  1e10f, -1e-10f, 1.0000001f, 0.99999994f, 16777217.0f, 333.333f};
const std::vector<float> special{0.0f,          -0.0f,          1e-40f,   -1e-45f,   1.17549435e-38f,
                                 3.4028235e38f, -3.4028235e38f, INFINITY, -INFINITY, NAN,
                                 1.0f,          -2.5f};

template <class F>
void check_f32(const std::string& operation, const std::vector<float>& values, F exact) {
    for (const WayName& way : ways)
        check2<U32>(operation + "." + way.text + ".f32 %d, %a, %b;", patterns(values), patterns(values),
                    [&](U32 a, U32 b) {
                        const Quad result = exact(Quad{number(a)}, Quad{number(b)});
                        if (result == 0 && (operation == "add" || operation == "sub"))
                            return way.way == Way::down ? 0x80000000u : 0u;
                        return canonical_bits(rounded<float>(result, way.way));
                    });
}

TEST(Float, sums_and_products_round_in_every_direction) {
    check_f32("add", ordinary, [](Quad a, Quad b) { return a + b; });
    check_f32("sub", ordinary, [](Quad a, Quad b) { return a - b; });
    check_f32("mul", ordinary, [](Quad a, Quad b) { return a * b; });
    check_f32("div", ordinary, [](Quad a, Quad b) { return a / b; });
    check_f32("mul", special, [](Quad a, Quad b) { return a * b; });
}

TEST(Float, exact_zero_sums_take_their_sign_from_the_direction) {
    check2<U32>("add.rm.f32 %d, %a, %b;", patterns({1.0f, 0.0f}), patterns({-1.0f, -0.0f}), [](U32 a, U32 b) {
        const float sum = number(a) + number(b);
        return sum == 0 ? 0x80000000u : std::bit_cast<U32>(sum);
    });
    check2<U32>("add.rn.f32 %d, %a, %b;", patterns({1.0f}), patterns({-1.0f}), [](U32, U32) { return 0u; });
}

TEST(Float, fma_rounds_once) {
    const std::vector<float> few{1.0f, -1.0000001f, 0.1f, 3.0f, 1e10f, 16777215.0f, -0.33333334f};
    for (const WayName& way : ways)
        check3<U32>(std::string("fma.") + way.text + ".f32 %d, %a, %b, %c;", patterns(few), patterns(few),
                    patterns(few), [&](U32 a, U32 b, U32 c) {
                        const Quad exact = Quad{number(a)} * number(b) + number(c);
                        if (exact == 0) return way.way == Way::down ? 0x80000000u : 0u;
                        return canonical_bits(rounded<float>(exact, way.way));
                    });
}

TEST(Float, roots_and_reciprocals) {
    const std::vector<float> positive{1.0f, 2.0f, 0.1f, 3.0f, 1e-30f, 1e30f, 1.17549435e-38f, 0.25f};
    for (const WayName& way : ways) {
        check1<U32>(std::string("sqrt.") + way.text + ".f32 %d, %a;", patterns(positive), [&](U32 a) {
            return canonical_bits(
                rounded<float>(static_cast<Quad>(std::sqrt(static_cast<long double>(number(a)))), way.way));
        });
        check1<U32>(std::string("rcp.") + way.text + ".f32 %d, %a;", patterns(positive),
                    [&](U32 a) { return canonical_bits(rounded<float>(Quad{1} / number(a), way.way)); });
    }
    check1<U32>("sqrt.rn.f32 %d, %a;", patterns({-1.0f, -0.0f, INFINITY, NAN}),
                [](U32 a) { return canonical_bits(std::sqrt(number(a))); });
    check1<U32>("rsqrt.approx.f32 %d, %a;", patterns({4.0f, 0.25f, 0.0f, -0.0f, INFINITY, -1.0f}), [](U32 a) {
        const float x = number(a);
        return canonical_bits(x == 0 ? std::copysign(INFINITY, x)
                                     : static_cast<float>(1 / std::sqrt(static_cast<double>(x))));
    });
}

TEST(Float, one_nan_for_all) {
    check2<U32>("add.f32 %d, %a, %b;", std::vector<U32>{0x7fc00001, 0xffc12345, 0x7f800001},
                patterns({1.0f, NAN, INFINITY}), [](U32, U32) { return 0x7fffffffu; });
    check2<U32>("mul.f32 %d, %a, %b;", patterns({0.0f}), patterns({INFINITY, -INFINITY}),
                [](U32, U32) { return 0x7fffffffu; });
}

TEST(Float, min_and_max_prefer_numbers_and_know_signed_zero) {
    auto least = [](U32 x, U32 y) {
        const float a = number(x), b = number(y);
        if (std::isnan(a)) return canonical_bits(b);
        if (std::isnan(b)) return canonical_bits(a);
        if (a == 0 && b == 0) return x | y;
        return a < b ? x : y;
    };
    check2<U32>("min.f32 %d, %a, %b;", patterns(special), patterns(special), least);
    check2<U32>("max.f32 %d, %a, %b;", patterns(special), patterns(special), [&](U32 x, U32 y) {
        const float a = number(x), b = number(y);
        if (std::isnan(a)) return canonical_bits(b);
        if (std::isnan(b)) return canonical_bits(a);
        if (a == 0 && b == 0) return x & y;
        return a > b ? x : y;
    });
    check2<U32>("min.NaN.f32 %d, %a, %b;", patterns(special), patterns(special), [&](U32 x, U32 y) {
        return std::isnan(number(x)) || std::isnan(number(y)) ? 0x7fffffffu : least(x, y);
    });
}

TEST(Float, ftz_flushes_inputs_and_results) {
    auto flush = [](U32 bits) { return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits; };
    check2<U32>("mul.ftz.f32 %d, %a, %b;", patterns(special), patterns(special),
                [&](U32 a, U32 b) { return flush(canonical_bits(number(flush(a)) * number(flush(b)))); });
    check2<U32>("add.ftz.f32 %d, %a, %b;", patterns(special), patterns(special),
                [&](U32 a, U32 b) { return flush(canonical_bits(number(flush(a)) + number(flush(b)))); });
    check1<U32>("abs.ftz.f32 %d, %a;", patterns({1e-40f, -1e-40f, -2.0f}),
                [&](U32 a) { return flush(a) & 0x7fffffffu; });
    check1<U32>("neg.f32 %d, %a;", patterns({1e-40f, -0.0f, -2.0f, INFINITY}),
                [](U32 a) { return a ^ 0x80000000u; });
}

TEST(Float, sat_clamps_to_one_and_makes_nan_zero) {
    check2<U32>("add.sat.f32 %d, %a, %b;", patterns(special), patterns(special), [](U32 a, U32 b) {
        const float sum = number(a) + number(b);
        return std::isnan(sum) || sum <= 0 ? 0u : std::bit_cast<U32>(std::min(sum, 1.0f));
    });
}

TEST(Float, copysign_takes_the_sign_of_the_first) {
    check2<U32>("copysign.f32 %d, %a, %b;", patterns(special), patterns(special),
                [](U32 a, U32 b) { return (a & 0x80000000u) | (b & 0x7fffffffu); });
}

TEST(Float, doubles) {
    const std::vector<double> values{1.0, -0.1, 3.0, 1e300, -1e-300, 0.3333333333333333, 9007199254740993.0,
                                     2.5};
    for (const WayName& way : ways) {
        check2<double>(std::string("mul.") + way.text + ".f64 %d, %a, %b;", values, values,
                       [&](double a, double b) { return rounded<double>(Quad{a} * b, way.way); });
        check2<double>(std::string("div.") + way.text + ".f64 %d, %a, %b;", values, values,
                       [&](double a, double b) { return rounded<double>(Quad{a} / b, way.way); });
    }
    check3<double>(
        "fma.rn.f64 %d, %a, %b, %c;", std::vector<double>{1.0 + 0x1p-52, 3.0},
        std::vector<double>{1.0 - 0x1p-52, -1.0}, std::vector<double>{-1.0, 0.5},
        [](double a, double b, double c) { return rounded<double>(Quad{a} * b + c, Way::nearest); });
    check2<double>("min.f64 %d, %a, %b;", std::vector<double>{0.0, NAN, 2.0}, std::vector<double>{-0.0, 1.0},
                   [](double a, double b) {
                       if (std::isnan(a)) return b;
                       return a == 0 && b == 0 ? -0.0 : std::min(a, b);
                   });
}

// Errors stay within the bounds of tests/parity; simple results are exact.
TEST(Float, approximations_are_near) {
    auto near = [](const char* code, long double (*function)(long double), const std::vector<float>& values,
                   long double error) {
        const std::vector<U32> found = apply<U32>(code, patterns(values));
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_NEAR(std::bit_cast<float>(found[i]), function(values[i]), error)
                << code << " of " << values[i];
    };
    const std::vector<float> values{0.0f, 0.5f, -1.0f, 3.14159265f, 10.0f, -0.0f, 100.0f};
    near("sin.approx.f32 %d, %a;", sinl, values, 1.5e-5L);  // 100 / 2π has 19 binary places left
    near("cos.approx.f32 %d, %a;", cosl, values, 1.5e-5L);
    near("tanh.approx.f32 %d, %a;", tanhl, values, 1e-5L);
    check1<U32>("ex2.approx.f32 %d, %a;", patterns({0.0f, 1.0f, -3.0f, 100.0f, -140.0f, 128.0f, -INFINITY}),
                [](U32 a) { return std::bit_cast<U32>(static_cast<float>(exp2l(number(a)))); });
    check1<U32>("lg2.approx.f32 %d, %a;", patterns({1.0f, 2.0f, 0.0f, 0x1p-130f, 1024.0f}),
                [](U32 a) { return std::bit_cast<U32>(static_cast<float>(log2l(number(a)))); });
    check1<U32>("sin.approx.f32 %d, %a;", patterns({INFINITY, NAN}), [](U32) { return 0x7fffffffu; });
}

// Returns the value of a finite f16 by the definition of the format.
double half_number(U16 bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double magnitude =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}
// Returns the nearest f16 by a search over the positive values; a tie goes to the even pattern.
U16 nearest_half(double value) {
    if (std::isnan(value)) return 0x7fff;
    const U16 sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    if (magnitude >= 65520) return sign | 0x7c00;
    U16 low = 0, high = 0x7bff;
    while (high - low > 1) {
        const U16 middle = static_cast<U16>((low + high) / 2);
        (half_number(middle) <= magnitude ? low : high) = middle;
    }
    const double to_low = magnitude - half_number(low), to_high = half_number(high) - magnitude;
    const bool up = to_high < to_low || (to_high == to_low && (low & 1));
    return sign | (up ? high : low);
}

const std::vector<U16> halves{0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00, 0xbc00,
                              0x3555, 0x7bff, 0xfbff, 0x4248, 0x1234, 0x6400, 0x3c01};

TEST(Half, arithmetic_rounds_to_nearest_even) {
    check2<U16>("add.f16 %d, %a, %b;", halves, halves,
                [](U16 a, U16 b) { return nearest_half(half_number(a) + half_number(b)); });
    check2<U16>("mul.f16 %d, %a, %b;", halves, halves,
                [](U16 a, U16 b) { return nearest_half(half_number(a) * half_number(b)); });
    check3<U16>("fma.rn.f16 %d, %a, %b, %c;", halves, halves, halves, [](U16 a, U16 b, U16 c) {
        const Quad exact = Quad{half_number(a)} * half_number(b) + half_number(c);
        if (exact == 0) return nearest_half(half_number(a) * half_number(b) + half_number(c));
        return nearest_half(static_cast<double>(exact));
    });
    check1<U16>("neg.f16 %d, %a;", halves, [](U16 a) { return static_cast<U16>(a ^ 0x8000); });
}

TEST(Half, pairs_work_on_both_halves) {
    check2<U32>(
        "add.f16x2 %d, %a, %b;", std::vector<U32>{0x3c004000, 0x7bff0001},
        std::vector<U32>{0x40003c00, 0x7bff8001}, [](U32 a, U32 b) {
            auto part = [](U32 x, U32 y) {
                return U32{nearest_half(half_number(static_cast<U16>(x)) + half_number(static_cast<U16>(y)))};
            };
            return part(a & 0xffff, b & 0xffff) | part(a >> 16, b >> 16) << 16;
        });
}

}  // namespace float_test
}  // namespace lanescope::simt
