// Compares elementary functions with the C library's in long double, and their bits with those of every other
// machine.
#include <gtest/gtest.h>

#include "base/elementary.h"

namespace lanescope {
namespace elementary_test {

struct Case {
    const char* name;
    double (*function)(double);
    long double (*precise)(long double);
    double least, most;
    std::uint64_t bits;  // a hash of all results: the same in WebAssembly, and with or without FMA
};
const Case cases[] = {
    {"exp", elementary::exp, expl, -700, 700, 0x7e2deb68e8dd8343},
    {"exp2", elementary::exp2, exp2l, -1000, 1000, 0xfd9e7d2b8a88af5f},
    {"log2", elementary::log2, log2l, 1e-3, 4, 0x95c32f2014d4788},
    {"tanh", elementary::tanh, tanhl, -12, 12, 0x94593b6f32da09cc},
    {"sin", elementary::sin, sinl, -3.14, 3.14, 0xe55b3c52e4821c97},
    {"cos", elementary::cos, cosl, -3.14, 3.14, 0x722f4b824f0b7176},
};

TEST(Elementary, functions_are_near_and_the_same_everywhere) {
    constexpr int count = 20'000;
    for (const Case& each : cases) {
        std::uint64_t hash = 14695981039346656037ull;  // FNV-1a
        for (int i = 0; i <= count; ++i) {
            const double x = each.least + (each.most - each.least) * i / count;
            const double found = each.function(x);
            const long double exact = each.precise(x);
            ASSERT_LE(std::fabs(found - exact), 3 * 0x1p-52L * std::fabs(exact)) << each.name << " of " << x;
            hash = (hash ^ std::bit_cast<std::uint64_t>(found)) * 1099511628211ull;
        }
        EXPECT_EQ(hash, each.bits) << each.name << std::hex << ": 0x" << hash;
    }
}

TEST(Elementary, edges) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(elementary::exp(infinity), infinity);
    EXPECT_EQ(elementary::exp(-infinity), 0);
    EXPECT_EQ(elementary::exp2(1024), infinity);
    EXPECT_EQ(elementary::exp2(-1074), 0x1p-1074);
    EXPECT_EQ(elementary::log2(0), -infinity);
    EXPECT_EQ(elementary::log2(0x1p-1074), -1074);
    EXPECT_TRUE(std::isnan(elementary::log2(-1)));
    EXPECT_EQ(elementary::tanh(infinity), 1);
    EXPECT_EQ(elementary::tanh(0x1p-40), 0x1p-40);
    EXPECT_TRUE(std::signbit(elementary::sin(-0.0)));
    EXPECT_TRUE(std::isnan(elementary::cos(infinity)));
    for (const Case& each : cases)
        EXPECT_TRUE(std::isnan(each.function(std::numeric_limits<double>::quiet_NaN()))) << each.name;
}

}  // namespace elementary_test
}  // namespace lanescope
