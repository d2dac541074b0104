// Conversions in all directions, comparisons, selections and moves.
#include <gtest/gtest.h>

#include <cmath>

#include "one_instruction.h"

namespace lanescope::simt {
namespace convert_test {

__extension__ typedef __int128 Big;
__extension__ typedef __float128 Quad;
using U16 = std::uint16_t;
using S16 = std::int16_t;
using U32 = std::uint32_t;
using S32 = std::int32_t;
using U64 = std::uint64_t;
using S64 = std::int64_t;

template <class T>
std::string name() {
    return (std::is_signed_v<T> ? "s" : "u") + std::to_string(sizeof(T) * 8);
}

// --- integer to integer ------------------------------------------------------------------------------------

template <class D, class S>
void check_resize() {
    check1<D>("cvt." + name<D>() + "." + name<S>() + " %d, %a;", edges<S>(),
              [](S a) { return static_cast<D>(a); });
    check1<D>("cvt.sat." + name<D>() + "." + name<S>() + " %d, %a;", edges<S>(), [](S a) {
        const Big low = std::numeric_limits<D>::min(), high = std::numeric_limits<D>::max();
        return static_cast<D>(std::min(std::max(Big{a}, low), high));
    });
}
TEST(Convert, between_integers) {
    check_resize<S64, S32>();
    check_resize<U64, U32>();
    check_resize<U64, S32>();
    check_resize<S32, S64>();
    check_resize<U32, U64>();
    check_resize<U32, S64>();
    check_resize<U16, U32>();
    check_resize<S16, S32>();
    check_resize<S16, U64>();
    check_resize<S32, S16>();
    check_resize<U32, S32>();
    check_resize<S32, U32>();
}

TEST(Convert, bytes_extend_by_their_sign) {
    check1<S32>("cvt.s32.s8 %d, %a;", edges<S32>(), [](S32 a) { return S32{static_cast<std::int8_t>(a)}; });
    check1<U32>("cvt.u32.u8 %d, %a;", edges<U32>(), [](U32 a) { return a & 0xff; });
    check1<S32>("cvt.s8.s32 %d, %a;", edges<S32>(), [](S32 a) { return S32{static_cast<std::int8_t>(a)}; });
    check1<U32>("cvt.sat.u8.s32 %d, %a;", edges<S32>(),
                [](S32 a) { return static_cast<U32>(std::min(std::max(a, 0), 255)); });
    check1<S64>("cvt.s64.s8 %d, %a;", edges<S32>(), [](S32 a) { return S64{static_cast<std::int8_t>(a)}; });
}

TEST(Convert, registers_may_be_wider_than_the_types) {
    check1<S64>("cvt.s64.s32 %d, %a;", edges<U64>(), [](U64 a) { return S64{static_cast<S32>(a)}; });
    check1<U64>("cvt.u16.u32 %d, %a;", edges<U32>(), [](U32 a) { return U64{a & 0xffff}; });
    check1<S64>("cvt.s8.s64 %d, %a;", edges<S64>(), [](S64 a) { return S64{static_cast<std::int8_t>(a)}; });
}

// --- float to integer --------------------------------------------------------------------------------------

enum class Way { nearest, zero, down, up };
struct WayName {
    Way way;
    const char* text;
};
constexpr WayName ways[] = {{Way::nearest, "rni"}, {Way::zero, "rzi"}, {Way::down, "rmi"}, {Way::up, "rpi"}};

double integral(double x, Way way) {
    const double below = std::floor(x);
    if (below == x) return x;
    switch (way) {
        case Way::zero:
            return x < 0 ? below + 1 : below;
        case Way::down:
            return below;
        case Way::up:
            return below + 1;
        case Way::nearest:
            break;
    }
    const double rest = x - below;
    return rest < 0.5 || (rest == 0.5 && std::fmod(below, 2) == 0) ? below : below + 1;
}
template <class I>
I clamped(double x, Way way, I of_nan = 0) {
    if (std::isnan(x)) return of_nan;
    const Quad value = std::isinf(x) ? x : integral(x, way);
    if (value < static_cast<Quad>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
    if (value > static_cast<Quad>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
    return static_cast<I>(value);
}

const std::vector<float> reals{0.0f,           -0.0f,          0.5f,          -0.5f,         1.5f,
                               2.5f,           -2.5f,          0.49999997f,   1e-40f,        127.5f,
                               255.5f,         -128.7f,        65535.9f,      2147483520.0f, 2147483648.0f,
                               -2147483648.0f, -2147483904.0f, 4294967296.0f, 4294967040.0f, 9.2233715e18f,
                               9.223372e18f,   1.8446744e19f,  -1.0f,         1e30f,         -1e30f,
                               INFINITY,       -INFINITY,      NAN,           8388609.0f};

template <class I>
void check_to_integer() {
    const I top_bit = static_cast<I>(std::uint64_t{1} << (sizeof(I) * 8 - 1));
    for (const WayName& way : ways) {
        check1<I>(std::string("cvt.") + way.text + "." + name<I>() + ".f32 %d, %a;", reals,
                  [&](float x) { return clamped<I>(x, way.way, sizeof(I) == 8 ? top_bit : I{0}); });
        std::vector<double> doubles(reals.begin(), reals.end());
        for (const double x : {0.1, 4503599627370497.5, -9223372036854775808.0, 9223372036854774784.0,
                               4294967295.5, 2147483647.5, -2147483648.5})
            doubles.push_back(x);
        check1<I>(std::string("cvt.") + way.text + "." + name<I>() + ".f64 %d, %a;", doubles,
                  [&](double x) { return clamped<I>(x, way.way, top_bit); });
    }
}
TEST(Convert, float_to_integer_saturates) {
    check_to_integer<U16>();
    check_to_integer<S16>();
    check_to_integer<U32>();
    check_to_integer<S32>();
    check_to_integer<U64>();
    check_to_integer<S64>();
}
TEST(Convert, float_to_byte) {
    check1<S32>("cvt.rzi.s8.f32 %d, %a;", reals,
                [](float x) { return S32{clamped<std::int8_t>(x, Way::zero)}; });
    check1<U32>("cvt.rni.u8.f32 %d, %a;", reals,
                [](float x) { return U32{clamped<std::uint8_t>(x, Way::nearest)}; });
}
TEST(Convert, float_to_integral_float) {
    for (const WayName& way : ways)
        check1<U32>(std::string("cvt.") + way.text + ".f32.f32 %d, %a;", reals, [&](float x) {
            if (std::isnan(x)) return 0x7fffffffu;
            return std::bit_cast<U32>(
                std::isinf(x) ? x : static_cast<float>(std::copysign(integral(x, way.way), x)));
        });
}

// --- integer to float, float to float ----------------------------------------------------------------------

template <class F, class I>
F from_integer(I value, const std::string& way) {
    const F nearest = static_cast<F>(static_cast<Quad>(value));
    if (way == "rn" || static_cast<Quad>(nearest) == static_cast<Quad>(value)) return nearest;
    const F below = static_cast<Quad>(nearest) < static_cast<Quad>(value)
                        ? nearest
                        : std::nextafter(nearest, -std::numeric_limits<F>::infinity());
    const F above = static_cast<Quad>(nearest) > static_cast<Quad>(value)
                        ? nearest
                        : std::nextafter(nearest, std::numeric_limits<F>::infinity());
    return way == "rm" || (way == "rz" && value > 0) ? below : above;
}
template <class I>
void check_from_integer() {
    for (const std::string way : {"rn", "rz", "rm", "rp"}) {
        check1<float>("cvt." + way + ".f32." + name<I>() + " %d, %a;", edges<I>(),
                      [&](I a) { return from_integer<float>(a, way); });
        check1<double>("cvt." + way + ".f64." + name<I>() + " %d, %a;", edges<I>(),
                       [&](I a) { return from_integer<double>(a, way); });
    }
}
TEST(Convert, integer_to_float_rounds) {
    check_from_integer<S32>();
    check_from_integer<U32>();
    check_from_integer<S64>();
    check_from_integer<U64>();
    check_from_integer<U16>();
}

TEST(Convert, double_to_float_rounds) {
    const std::vector<double> values{0.1,   -0.1,   1.0 + 0x1p-24, 1.0 + 0x1p-25, 3.4028235677973366e38,
                                     1e-46, -1e-46, 1e300,         1e-40};
    check1<U32>("cvt.rz.f32.f64 %d, %a;", values, [](double x) {
        const float nearest = static_cast<float>(x);
        return std::bit_cast<U32>(std::fabs(nearest) > std::fabs(x) ? std::nextafter(nearest, 0.0f)
                                                                    : nearest);
    });
    check1<U32>("cvt.rp.f32.f64 %d, %a;", values, [](double x) {
        const float nearest = static_cast<float>(x);
        return std::bit_cast<U32>(nearest < x ? std::nextafter(nearest, INFINITY) : nearest);
    });
    check1<double>("cvt.f64.f32 %d, %a;", std::vector<float>{0.1f, 1e-45f, -0.0f, INFINITY},
                   [](float x) { return double{x}; });
}

TEST(Convert, half_round_trip_of_every_pattern) {
    std::vector<U16> all(0x7c00);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<U16>(i);
    check1<U16>(".reg .f32 %f; cvt.f32.f16 %f, %a; cvt.rn.f16.f32 %d, %f;", all, [](U16 a) { return a; });
    check1<float>("cvt.f32.f16 %d, %a;", std::vector<U16>{0x3c00, 0x0001, 0x83ff, 0x7bff, 0x7c00, 0xfc00},
                  [](U16 a) {
                      const int exponent = a >> 10 & 31, mantissa = a & 1023;
                      double value = exponent == 31  ? INFINITY
                                     : exponent == 0 ? std::ldexp(mantissa, -24)
                                                     : std::ldexp(1024 + mantissa, exponent - 25);
                      return static_cast<float>(a & 0x8000 ? -value : value);
                  });
}
TEST(Convert, half_rounding_directions) {
    // 1 + 2^-11 lies between 0x3c00 and 0x3c01; 65536 is beyond the greatest half.
    const std::vector<float> values{1.00048828125f, -1.00048828125f, 65536.0f, -65536.0f};
    auto expect = [&](const std::string& way, const std::vector<U16>& expected) {
        EXPECT_EQ(apply<U16>("cvt." + way + ".f16.f32 %d, %a;", values), expected) << way;
    };
    expect("rn", {0x3c00, 0xbc00, 0x7c00, 0xfc00});
    expect("rz", {0x3c00, 0xbc00, 0x7bff, 0xfbff});
    expect("rm", {0x3c00, 0xbc01, 0x7bff, 0xfc00});
    expect("rp", {0x3c01, 0xbc00, 0x7c00, 0xfbff});
}

// --- comparison and selection ------------------------------------------------------------------------------

template <class T>
void check_integer_compare(const std::string& type,
                           const std::vector<std::pair<std::string, bool (*)(T, T)>>& tests) {
    for (const auto& [word, test] : tests)
        check2<U32>("setp." + word + "." + type + " %q0, %a, %b; selp.u32 %d, 1, 0, %q0;", edges<T>(),
                    edges<T>(), [&, test = test](T a, T b) { return test(a, b) ? 1u : 0u; });
}
template <class T>
const std::vector<std::pair<std::string, bool (*)(T, T)>> comparisons{
    {"eq", [](T a, T b) { return a == b; }}, {"ne", [](T a, T b) { return a != b; }},
    {"lt", [](T a, T b) { return a < b; }},  {"le", [](T a, T b) { return a <= b; }},
    {"gt", [](T a, T b) { return a > b; }},  {"ge", [](T a, T b) { return a >= b; }}};

TEST(Compare, integers) {
    check_integer_compare<U16>("u16", comparisons<U16>);
    check_integer_compare<S16>("s16", comparisons<S16>);
    check_integer_compare<U32>("u32", comparisons<U32>);
    check_integer_compare<S32>("s32", comparisons<S32>);
    check_integer_compare<U64>("u64", comparisons<U64>);
    check_integer_compare<S64>("s64", comparisons<S64>);
    check_integer_compare<U32>("u32", {{"lo", [](U32 a, U32 b) { return a < b; }},
                                       {"ls", [](U32 a, U32 b) { return a <= b; }},
                                       {"hi", [](U32 a, U32 b) { return a > b; }},
                                       {"hs", [](U32 a, U32 b) { return a >= b; }}});
}

TEST(Compare, floats_with_nan) {
    const std::vector<float> values{0.0f, -0.0f, 1.0f, -1.0f, INFINITY, NAN, 1e-40f};
    auto test = [&](const std::string& word, auto expected) {
        check2<U32>("setp." + word + ".f32 %q0, %a, %b; selp.u32 %d, 1, 0, %q0;", values, values,
                    [&](float a, float b) { return expected(a, b) ? 1u : 0u; });
    };
    auto either_nan = [](float a, float b) { return std::isnan(a) || std::isnan(b); };
    test("eq", [](float a, float b) { return a == b; });
    test("ne", [&](float a, float b) { return !either_nan(a, b) && a != b; });
    test("lt", [](float a, float b) { return a < b; });
    test("ge", [](float a, float b) { return a >= b; });
    test("equ", [&](float a, float b) { return either_nan(a, b) || a == b; });
    test("neu", [&](float a, float b) { return either_nan(a, b) || a != b; });
    test("ltu", [&](float a, float b) { return either_nan(a, b) || a < b; });
    test("geu", [&](float a, float b) { return either_nan(a, b) || a >= b; });
    test("num", [&](float a, float b) { return !either_nan(a, b); });
    test("nan", either_nan);
    test("gt.ftz",
         [](float a, float b) { return (std::fabs(a) < 1e-38f ? 0 : a) > (std::fabs(b) < 1e-38f ? 0 : b); });
}

TEST(Compare, combined_with_a_predicate_into_two_destinations) {
    for (const std::string word : {"and", "or", "xor"})
        for (const bool negated : {false, true})
            check3<U32>("setp.ne.u32 %q0, %c, 0; setp.lt." + word + ".s32 %q1|%q2, %a, %b, " +
                            (negated ? "!" : "") +
                            "%q0; selp.u32 %d, 1, 0, %q1; selp.u32 %t0, 2, 0, %q2; or.b32 %d, %d, %t0;",
                        few_edges<S32>(), few_edges<S32>(), std::vector<U32>{0, 1}, [&](S32 a, S32 b, U32 c) {
                            const bool less = a < b, p = (c != 0) != negated;
                            auto combine = [&](bool t) {
                                return word == "and" ? t && p : word == "or" ? t || p : t != p;
                            };
                            return (combine(less) ? 1u : 0u) | (combine(!less) ? 2u : 0u);
                        });
}

TEST(Compare, set_gives_all_ones_or_one) {
    check2<U32>("set.lt.u32.s32 %d, %a, %b;", edges<S32>(), edges<S32>(),
                [](S32 a, S32 b) { return a < b ? ~0u : 0u; });
    check2<U32>("set.ge.f32.u32 %d, %a, %b;", edges<U32>(), edges<U32>(),
                [](U32 a, U32 b) { return a >= b ? 0x3f800000u : 0u; });
    check2<U16>("set.eq.f16.f16 %d, %a, %b;", std::vector<U16>{0, 0x8000, 0x3c00, 0x7e00},
                std::vector<U16>{0, 0x3c00, 0x7e00}, [](U16 a, U16 b) {
                    return static_cast<U16>((a == b && a != 0x7e00) || ((a | b) & 0x7fff) == 0 ? 0x3c00 : 0);
                });
}

TEST(Compare, slct_selects_by_sign) {
    check3<U32>("slct.u32.s32 %d, %a, %b, %c;", std::vector<U32>{1}, std::vector<U32>{2}, edges<S32>(),
                [](U32 a, U32 b, S32 c) { return c >= 0 ? a : b; });
    check3<U64>("slct.b64.f32 %d, %a, %b, %c;", std::vector<U64>{1}, std::vector<U64>{2},
                std::vector<float>{0.0f, -0.0f, -1.0f, NAN, 2.0f},
                [](U64 a, U64 b, float c) { return c >= 0 ? a : b; });
}

TEST(Move, packs_and_unpacks_vectors) {
    check2<U64>("mov.b64 %d, {%a, %b};", edges<U32>(), edges<U32>(),
                [](U32 a, U32 b) { return U64{b} << 32 | a; });
    check1<U32>(".reg .b32 %lo, %hi; mov.b64 {%lo, %hi}, %a; xor.b32 %d, %lo, %hi;", edges<U64>(),
                [](U64 a) { return static_cast<U32>(a ^ a >> 32); });
    check1<U32>(".reg .b16 %s<2>; mov.b32 {%s0, %s1}, %a; mov.b32 %d, {%s1, %s0};", edges<U32>(),
                [](U32 a) { return a << 16 | a >> 16; });
    check1<U32>(".reg .b32 %hi; mov.b64 {_, %hi}, %a; mov.u32 %d, %hi;", edges<U64>(),
                [](U64 a) { return static_cast<U32>(a >> 32); });
}

TEST(Guard, leaves_other_lanes_alone) {
    check1<U32>(
        "mov.u32 %d, 7; setp.gt.u32 %q0, %a, 32; @%q0 add.u32 %d, %d, %a; @!%q0 mul.lo.u32 %d, %d, 3;",
        edges<U32>(), [](U32 a) { return a > 32 ? 7 + a : 21u; });
}

}  // namespace convert_test
}  // namespace lanescope::simt
