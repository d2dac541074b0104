// Compares arithmetic in every rounding direction with the processor's own: special values in all
// combinations, then random ones whose bits decide about rounding.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "simt/math/float_semantics.h"

namespace lanescope::simt {
namespace rounding_test {

struct Way {
    Rounding rounding;
    int processor;
};
constexpr Way ways[] = {{Rounding::nearest, FE_TONEAREST},
                        {Rounding::zero, FE_TOWARDZERO},
                        {Rounding::down, FE_DOWNWARD},
                        {Rounding::up, FE_UPWARD}};

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
std::vector<T> special_values() {
    using L = std::numeric_limits<T>;
    std::vector<T> values{0, L::denorm_min(), L::min(), L::max(), L::infinity(), L::quiet_NaN(), 1, 3};
    const T e = L::epsilon();
    for (const T value : {L::min() - L::denorm_min(),
                          L::min() + L::denorm_min(),
                          3 * L::denorm_min(),
                          L::min() * (1 + e),
                          L::min() / 2,
                          L::max() / 2,
                          L::max() * (1 - e),
                          1 + e,
                          1 - e / 2,
                          1 + 2 * e,
                          2 - e,
                          T(0.5),
                          T(1) / 3,
                          e,
                          e / 2,
                          e / 4 * 3,
                          1 / e,
                          2 / e + 1,
                          std::sqrt(L::min()),
                          std::sqrt(L::denorm_min()),
                          std::sqrt(L::max()),
                          std::sqrt(L::max()) * (1 + e)})
        values.push_back(value);
    for (std::size_t i = 0, count = values.size(); i < count; ++i)
        values.push_back(-values[i]);
    return values;
}

class Random {
  public:
    std::uint64_t next() {  // SplitMix64
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    // Any bits, or a number near one in magnitude, with many or few bits, or a number whose products are
    // subnormal.
    template <class T>
    T number() {
        constexpr FloatFormat format = format_of<T>;
        const std::uint64_t kind = next(), stored = static_cast<std::uint64_t>(format.mantissa_bits);
        std::uint64_t mantissa = next() & ((1ull << stored) - 1);
        if (kind & 1) mantissa &= ~0ull << (kind >> 8 & 0xff) % stored;
        if ((kind & 2) != 0) mantissa ^= (1ull << stored) - 1;
        const std::uint64_t bias = (1ull << (format.exponent_bits - 1)) - 1;
        std::uint64_t field = bias + (kind >> 16 & 0xff) % (2 * stored) - stored;
        if ((kind & 0xc) == 0) field = next() & (2 * bias + 1);
        if ((kind & 0xc) == 4) field = bias / 2 + (kind >> 24 & 31) - 16;
        return std::bit_cast<T>(
            static_cast<Bits<T>>((kind >> 63 << (stored + static_cast<unsigned>(format.exponent_bits))) |
                                 field << stored | mantissa));
    }

  private:
    std::uint64_t state_ = 1;
};

template <class T>
struct Operands {
    T a, b, c;
};
template <class T>
std::vector<Operands<T>> random_operands(std::size_t count) {
    Random random;
    std::vector<Operands<T>> made(count);
    for (Operands<T>& each : made) {
        each = {random.number<T>(), random.number<T>(), random.number<T>()};
        if ((random.next() & 3) == 0) {  // cancels a product but for its last bits
            each.c = -(each.a * each.b);
            if ((random.next() & 1) != 0) each.c = std::nextafter(each.c, T(0));
        }
    }
    return made;
}

// `expected` computes with the processor's direction, `found` with the machine's.
template <class T, class Expected, class Found>
void compare(const char* operation, const std::vector<Operands<T>>& operands, Expected expected,
             Found found) {
    for (const Way& way : ways) {
        std::vector<T> results(operands.size());
        ASSERT_EQ(std::fesetround(way.processor), 0);
        for (std::size_t i = 0; i < operands.size(); ++i)
            results[i] = expected(operands[i]);
        std::fesetround(FE_TONEAREST);
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const T value = found(way.rounding, operands[i]);
            const bool same = std::isnan(value)
                                  ? std::isnan(results[i])
                                  : std::bit_cast<Bits<T>>(value) == std::bit_cast<Bits<T>>(results[i]);
            if (!same)
                FAIL() << operation << " of " << sizeof(T) * 8 << " bits in direction " << int(way.rounding)
                       << ": " << std::hexfloat << operands[i].a << ", " << operands[i].b << ", "
                       << operands[i].c << " gives " << value << ", the processor " << results[i];
        }
    }
}

template <class T>
void compare_all(const std::vector<Operands<T>>& operands) {
    using O = const Operands<T>&;
    compare<T>(
        "add", operands, [](O o) { return o.a + o.b; },
        [](Rounding r, O o) { return op::FAdd<T>::apply(r, o.a, o.b); });
    compare<T>(
        "sub", operands, [](O o) { return o.a - o.b; },
        [](Rounding r, O o) { return op::FSub<T>::apply(r, o.a, o.b); });
    compare<T>(
        "mul", operands, [](O o) { return o.a * o.b; },
        [](Rounding r, O o) { return op::FMul<T>::apply(r, o.a, o.b); });
    compare<T>(
        "div", operands, [](O o) { return o.a / o.b; },
        [](Rounding r, O o) { return op::FDiv<T>::apply(r, o.a, o.b); });
    compare<T>(
        "rcp", operands, [](O o) { return T(1) / o.a; },
        [](Rounding r, O o) { return op::FRcp<T>::apply(r, o.a); });
    compare<T>(
        "sqrt", operands, [](O o) { return std::sqrt(o.a); },
        [](Rounding r, O o) { return op::FSqrt<T>::apply(r, o.a); });
}
template <class T>
void compare_fma(const std::vector<Operands<T>>& operands) {
    using O = const Operands<T>&;
    compare<T>(
        "fma", operands, [](O o) { return std::fma(o.a, o.b, o.c); },
        [](Rounding r, O o) {
            return r == Rounding::nearest ? fused(o.a, o.b, o.c) : op::FFma<T>::apply(r, o.a, o.b, o.c);
        });
}

template <class T>
void compare_values(std::size_t count) {
    std::vector<Operands<T>> pairs, triples;
    for (const T a : special_values<T>())
        for (const T b : special_values<T>()) {
            pairs.push_back({a, b, 0});
            for (const T c : special_values<T>())
                triples.push_back({a, b, c});
        }
    compare_all<T>(pairs);
    compare_fma<T>(triples);
    const std::vector<Operands<T>> random = random_operands<T>(count);
    compare_all<T>(random);
    compare_fma<T>(random);
}

TEST(Rounding, f32_arithmetic_rounds_as_the_processor_does) {
    compare_values<float>(100'000);
}
TEST(Rounding, f64_arithmetic_rounds_as_the_processor_does) {
    compare_values<double>(100'000);
}
TEST(Rounding, conversions_round_as_the_processor_does) {
    using O = const Operands<double>&;
    std::vector<Operands<double>> values = random_operands<double>(100'000);
    for (const double value : special_values<double>())
        values.push_back({value, 0, 0});
    for (const float value : special_values<float>())
        values.push_back({value * (1 + 0x1p-40), value * 0.5, 0});
    compare<double>(
        "cvt.f32", values, [](O o) { return double{static_cast<float>(o.a)}; },
        [](Rounding r, O o) { return double{std::bit_cast<float>(round_to(single_format, o.a, r))}; });
    for (const Way& way : ways)
        EXPECT_EQ(round_integer(double_format, false, 0, way.rounding), 0u);
    auto integer = [](O o) {  // not 0, of which Clang's code makes -0 when it rounds down
        return std::max(std::bit_cast<std::uint64_t>(o.a) >> (std::bit_cast<std::uint64_t>(o.b) & 63),
                        std::uint64_t{1});
    };
    compare<double>(
        "cvt.f64.u64", values, [&](O o) { return static_cast<double>(integer(o)); },
        [&](Rounding r, O o) {
            return std::bit_cast<double>(round_integer(double_format, false, integer(o), r));
        });
    compare<double>(
        "cvt.f32.u64", values, [&](O o) { return double{-static_cast<float>(integer(o))}; },
        [&](Rounding r, O o) {
            const Rounding of_negative = r == Rounding::up     ? Rounding::down
                                         : r == Rounding::down ? Rounding::up
                                                               : r;
            return double{std::bit_cast<float>(
                static_cast<std::uint32_t>(round_integer(single_format, true, integer(o), of_negative)))};
        });
}

}  // namespace rounding_test
}  // namespace lanescope::simt
