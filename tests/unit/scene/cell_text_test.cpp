#include "scene/words/cell_text.h"
#include "base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace lanescope::scene {
namespace cell_text_test {

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

TEST_F(CellText, bytes_without_a_type_are_hexadecimal) {
    EXPECT_EQ(cell_text(types, 0, bytes('\x08'), 2), "08");
    EXPECT_EQ(cell_text(types, 0, bytes('\x08'), 1), "…");
    EXPECT_EQ(wanted_chars(types, 0, bytes('\x08')), 2);
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

TEST_F(CellText, real_numbers_in_other_forms) {
    const CellStyle scientific{RealFormat::scientific};
    EXPECT_EQ(cell_text(types, float_type, bytes(1500.0f), 7, scientific), "1.50e3");
}

TEST_F(CellText, real_numbers_as_bits_and_small_room) {
    const CellStyle scientific{RealFormat::scientific}, bits{RealFormat::hexadecimal};
    EXPECT_EQ(cell_text(types, float_type, bytes(-0.00012f), 5, scientific), "-1e-4");
    EXPECT_EQ(cell_text(types, float_type, bytes(1.0f), 8, bits), "3f800000");
    EXPECT_EQ(cell_text(types, float_type, bytes(1.0f), 4, bits), "…");
    EXPECT_EQ(wanted_chars(types, float_type, bytes(1.0f), bits), 8);
    EXPECT_EQ(cell_text(types, int_type, bytes(7), 3, scientific), "7") << "whole numbers keep their form";
}

TEST_F(CellText, members_of_a_structure_stand_below_each_other) {
    CellStyle stacked;
    stacked.stacked = true;
    std::vector<std::byte> cell;
    for (const float value : {1.5f, -2.0f, 0.25f, 100.0f})
        for (const std::byte each : bytes(value))
            cell.push_back(each);
    EXPECT_EQ(stacked_lines(types, vector_type), 4);
    EXPECT_EQ(stacked_lines(types, float_type), 1);
    EXPECT_EQ(stacked_names(types, vector_type), (std::vector<std::string>{"x", "y", "z", "w"}));
    EXPECT_EQ(cell_text(types, vector_type, cell, 4, stacked), "1.5\n-2\n0.25\n100");
    EXPECT_EQ(wanted_chars(types, vector_type, cell, stacked), 4);
}

TEST_F(CellText, whole_numbers_of_a_text_are_characters) {
    CellStyle text;
    text.character = true;
    EXPECT_EQ(cell_text(types, int_type, bytes(int('Q')), 3, text), "Q");
    EXPECT_EQ(cell_text(types, int_type, bytes(int(' ')), 3, text), "·");
    EXPECT_EQ(cell_text(types, int_type, bytes(7), 3, text), "7");
}

}  // namespace cell_text_test
}  // namespace lanescope::scene
