#include "base/value_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <span>

#include "base/mbarrier.h"

namespace lanescope {
namespace value_type_test {

template <class T>
std::string shown(const char* type, T value, int max_chars = 0) {
    TypeTable types;
    const TypeId id = types.named(type);
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    return format_value(types, id, bytes, max_chars);
}

TEST(FormatValue, scalars) {
    EXPECT_EQ(shown("int", -3), "-3");
    EXPECT_EQ(shown("unsigned int", -1), "4294967295");
    EXPECT_EQ(shown("ulong", ~0ull), "18446744073709551615");
    EXPECT_EQ(shown("char", 'a'), "'a'");
    EXPECT_EQ(shown("uchar", static_cast<unsigned char>(200)), "200");
    EXPECT_EQ(shown("bool", true), "true");
    EXPECT_EQ(shown("float", 0.1f), "0.1");
    EXPECT_EQ(shown("double", 0.1), "0.1");
    EXPECT_EQ(shown("float", INFINITY), "inf");
    EXPECT_EQ(shown("half", static_cast<std::uint16_t>(0x3c00)), "1");
    EXPECT_EQ(shown("half", static_cast<std::uint16_t>(0x8001)), "-5.9604645e-8");
    EXPECT_EQ(shown("__nv_bfloat16", static_cast<std::uint16_t>(0x3f00)), "0.5");
    EXPECT_EQ(shown("__nv_bfloat16", static_cast<std::uint16_t>(0xc049)), "-3.140625");
}

TEST(FormatValue, barrier_objects_say_what_they_await) {
    TypeTable types;
    ValueType type = types[types.named("ulong")];
    type.name = "__mbarrier_t";
    const TypeId id = types.add(type);
    const auto text = [&](const Mbarrier& barrier, int max_chars = 0) {
        const std::uint64_t word = barrier.pack();
        return format_value(types, id, std::as_bytes(std::span(&word, 1)), max_chars);
    };
    EXPECT_EQ(text({32, 32, 0, false}), "phase 0 awaits 32");
    EXPECT_EQ(text({1, 1, 128, true}), "phase 1 awaits 1 and 128 B");
    EXPECT_EQ(text({1, 1, 128, true}, 20), "phase 1: 1+128 B");
    EXPECT_EQ(text({1, 1, 128, true}, 10), "1:1+128B");
    const std::uint64_t other = 7;
    EXPECT_EQ(format_value(types, id, std::as_bytes(std::span(&other, 1))), "7");
}

TEST(FormatValue, rounds_to_fit_and_never_cuts) {
    EXPECT_EQ(shown("int", 1234567890, 6), "1.23e9");
    EXPECT_EQ(shown("int", -1234567890, 4), "-1e9");
    EXPECT_EQ(shown("float", 3.14159265f, 4), "3.14");
    EXPECT_EQ(shown("int", 123, 3), "123");
    EXPECT_EQ(shown("int", 1024, 3), "#") << "a whole number below a million is never rounded";
    EXPECT_EQ(shown("int", -999999, 6), "#");
    EXPECT_EQ(shown("uint", 1000000, 6), "1e6");
    EXPECT_EQ(shown("int", 123456, 2), "#");
}

TEST(FormatValue, vectors_arrays_and_pointers) {
    TypeTable types;
    const int values[4] = {1, 2, 3, 4};
    const auto bytes = std::as_bytes(std::span(values));
    EXPECT_EQ(format_value(types, types.named("int4"), bytes), "{1, 2, 3, 4}");
    EXPECT_EQ(format_value(types, types.array_of(types.named("int"), 4), bytes), "{1, 2, 3, 4}");
    EXPECT_EQ(shown("float2", 1.0), "{0, 1.875}");
    const std::uint64_t address = 0x7f00;
    EXPECT_EQ(
        format_value(types, types.pointer_to(types.named("int")), std::as_bytes(std::span(&address, 1))),
        "0x7f00");
    EXPECT_EQ(format_value(types, 0, bytes), "?");
}

TEST(TypeTable, names_and_extents) {
    TypeTable types;
    const TypeId array = types.array_of(types.array_of(types.named("float"), 33), 8);
    EXPECT_EQ(types[array].name, "float[8][33]");
    EXPECT_EQ(types[array].size_bytes, 8u * 33 * 4);
    std::vector<std::uint64_t> extents;
    EXPECT_EQ(types.element_of(array, extents), types.named("float"));
    EXPECT_EQ(extents, (std::vector<std::uint64_t>{8, 33}));
    EXPECT_EQ(types.named("no_such_type"), 0u);
    EXPECT_EQ(types.named("x5"), 0u);
}

TEST(NumericValue, is_nan_for_what_has_no_number) {
    TypeTable types;
    const float value = -2.5f;
    EXPECT_EQ(numeric_value(types, types.named("float"), std::as_bytes(std::span(&value, 1))), -2.5);
    EXPECT_TRUE(std::isnan(numeric_value(types, types.named("float2"), std::as_bytes(std::span(&value, 1)))));
    EXPECT_TRUE(std::isnan(numeric_value(types, types.named("float"), {})));
}

}  // namespace value_type_test
}  // namespace lanescope
