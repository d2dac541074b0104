#include "base/text.h"

#include <gtest/gtest.h>

#include "base/number_text.h"

namespace lanescope {
namespace text_test {

TEST(Text, is_trimmed_and_padded_by_characters) {
    EXPECT_EQ(trimmed("\t a b\r\n"), "a b");
    EXPECT_EQ(trimmed(" \n"), "");
    EXPECT_EQ(text_of_line("a\n  b \nc", 2), "b");
    EXPECT_EQ(text_of_line("a\nb", 3), "");
    EXPECT_EQ(text_of_line("a", 0), "");
    EXPECT_EQ(padded_right("8×4", 5), "8×4  ");
    EXPECT_EQ(padded_left("8×4", 5), "  8×4");
    EXPECT_EQ(padded_left("8×4", 2), "8×4");
    EXPECT_EQ(lower_case("GB/s Ä"), "gb/s Ä");
}

TEST(Text, names_elements_by_the_extents_of_their_array) {
    const std::uint64_t extents[] = {3, 4};
    EXPECT_EQ(element_text("tile", extents, 7), "tile[1][3]");
    EXPECT_EQ(element_text("out", std::span(extents).first(1), 7), "out[7]");
}

}  // namespace text_test
}  // namespace lanescope
