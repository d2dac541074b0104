#include "lesson/element_type.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/value_type.h"
#include "support.h"

namespace lanescope::lesson {
namespace element_type_test {

TEST(element_type, agrees_with_the_type_table) {
    TypeTable types;
    for (const std::string& scalar : scalar_type_names())
        for (const char* vector : {"", "2", "3", "4"}) {
            const std::string name = scalar + vector;
            const auto type = element_type(name);
            ASSERT_TRUE(type) << name;
            EXPECT_EQ(types[types.named(name)].size_bytes, type->bytes()) << name;
        }
    for (const char* bad : {"", "4", "int1", "int5", "integer", "float44", "void", "int *"})
        EXPECT_FALSE(element_type(bad)) << bad;
}

TEST(element_type, integers_extend_and_wrap) {
    std::array<std::byte, 8> bytes{};
    const auto round_trip = [&](const char* name, std::uint64_t value) {
        const ElementType type = *element_type(name);
        store_integer(bytes, type, 0, value);
        return static_cast<std::int64_t>(load_integer(bytes, type, 0));
    };
    EXPECT_EQ(round_trip("char", 200), -56);
    EXPECT_EQ(round_trip("uchar", 300), 44);
    EXPECT_EQ(round_trip("short", 0x18000), -32768);
    EXPECT_EQ(round_trip("uint", static_cast<std::uint64_t>(-1)), 4294967295);
    EXPECT_EQ(round_trip("int", 4294967295u), -1);
    EXPECT_EQ(round_trip("long", static_cast<std::uint64_t>(-7)), -7);
}

std::uint16_t half_of(double value) {
    std::array<std::byte, 2> bytes{};
    store_real(bytes, *element_type("half"), 0, value);
    std::uint16_t bits;
    std::memcpy(&bits, bytes.data(), 2);
    return bits;
}

TEST(element_type, half_rounds_to_nearest_even) {
    EXPECT_EQ(half_of(0.0), 0x0000);
    EXPECT_EQ(half_of(-0.0), 0x8000);
    EXPECT_EQ(half_of(1.0), 0x3c00);
    EXPECT_EQ(half_of(-2.5), 0xc100);
    EXPECT_EQ(half_of(65504.0), 0x7bff);
    EXPECT_EQ(half_of(65519.9), 0x7bff);
    EXPECT_EQ(half_of(65520.0), 0x7c00);
    EXPECT_EQ(half_of(std::ldexp(1, -14)), 0x0400);
    EXPECT_EQ(half_of(std::ldexp(1, -24)), 0x0001);
    EXPECT_EQ(half_of(std::ldexp(1, -25)), 0x0000);                           // a tie rounds to even
    EXPECT_EQ(half_of(std::ldexp(1.5, -24)), 0x0002);                         // a tie rounds to even
    EXPECT_EQ(half_of(2049.0), 0x6800);                                       // a tie between 2048 and 2050
    EXPECT_EQ(half_of(1 + std::ldexp(1, -11) + std::ldexp(1, -40)), 0x3c01);  // through float it would be 1
    EXPECT_EQ(half_of(std::numeric_limits<double>::infinity()), 0x7c00);
    EXPECT_EQ(half_of(std::nan("")) & 0x7e00, 0x7e00);
}

TEST(element_type, half_reads_back_every_finite_value) {
    const ElementType half = *element_type("half");
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        if ((bits & 0x7c00) == 0x7c00 && (bits & 0x3ff)) continue;
        std::array<std::byte, 2> bytes{};
        const auto pattern = static_cast<std::uint16_t>(bits);
        std::memcpy(bytes.data(), &pattern, 2);
        ASSERT_EQ(half_of(load_real(bytes, half, 0)), bits);
    }
}

TEST(element_type, says_which_numbers_it_holds) {
    EXPECT_TRUE(holds(*element_type("uchar"), 255));
    EXPECT_FALSE(holds(*element_type("uchar"), 256));
    EXPECT_FALSE(holds(*element_type("uint"), -1));
    EXPECT_TRUE(holds(*element_type("char"), -128));
    EXPECT_FALSE(holds(*element_type("int"), 0.5));
    EXPECT_FALSE(holds(*element_type("long"), std::ldexp(1, 63)));
    EXPECT_FALSE(holds(*element_type("int"), std::nan("")));
    EXPECT_TRUE(holds(*element_type("half"), 1e300));
}

}  // namespace element_type_test
}  // namespace lanescope::lesson
