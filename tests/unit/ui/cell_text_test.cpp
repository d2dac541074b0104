#include "ui/cell_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace lanescope::ui {
namespace {

template <class T>
std::vector<std::byte> bytes(T value) {
    std::vector<std::byte> made(sizeof value);
    std::memcpy(made.data(), &value, sizeof value);
    return made;
}

struct CellText : testing::Test {
    TypeTable types;
    TypeId int_type = types.named("int"), float_type = types.named("float"), char_type = types.named("char"),
           bool_type = types.named("bool"), vector_type = types.named("float4");
};

TEST_F(CellText, values_are_shortened_to_the_cell) {
    EXPECT_EQ(cell_text(types, int_type, bytes(24), 3), "24");
    EXPECT_EQ(cell_text(types, float_type, bytes(0.3333333f), 5), "0.333");
    for (int chars = 1; chars < 12; ++chars)
        EXPECT_LE(character_count(cell_text(types, int_type, bytes(-1234567890), chars)),
                  static_cast<std::size_t>(chars));
}

TEST_F(CellText, characters_have_no_quotes_and_booleans_are_digits) {
    EXPECT_EQ(cell_text(types, char_type, bytes('P'), 2), "P");
    EXPECT_EQ(cell_text(types, char_type, bytes(' '), 2), "·");
    EXPECT_EQ(cell_text(types, char_type, bytes('\n'), 2), "\\n");
    EXPECT_EQ(cell_text(types, bool_type, bytes(true), 1), "1");
}

TEST_F(CellText, bad_room_gives_no_text_that_is_too_long) {
    const std::vector<std::byte> vector(16);
    EXPECT_EQ(cell_text(types, vector_type, vector, 2), "…");
    EXPECT_EQ(cell_text(types, int_type, bytes(5), 0), "");
    EXPECT_LE(character_count(cell_text(types, 9999, bytes(5), 2)), 2u);
}

TEST_F(CellText, wanted_width) {
    EXPECT_EQ(wanted_chars(types, int_type, bytes(123456)), 6);
    EXPECT_EQ(wanted_chars(types, float_type, bytes(0.1234567f)), 5);
    std::vector<std::byte> cells;
    for (int value : {7, 1000, 24}) {
        const auto one = bytes(value);
        cells.insert(cells.end(), one.begin(), one.end());
    }
    EXPECT_EQ(widest_cell(types, int_type, 4, cells, {}), 4);
    bool set[12] = {true, true, true, true};
    EXPECT_EQ(widest_cell(types, int_type, 4, cells, set), 1);
}

TEST_F(CellText, ranges_give_shares) {
    NumberRange range;
    EXPECT_LT(range.share(1), 0);
    range.include(10);
    EXPECT_FLOAT_EQ(range.share(10), 0.5f);
    range.include(20);
    range.include(std::nan(""));
    range.include(INFINITY);
    EXPECT_FLOAT_EQ(range.share(15), 0.5f);
    EXPECT_FLOAT_EQ(range.share(99), 1);
    EXPECT_LT(range.share(std::nan("")), 0);
}

}  // namespace
}  // namespace lanescope::ui
