#include "preview/filter/border.h"

#include <gtest/gtest.h>

#include <string>

namespace lanescope::preview {
namespace border_test {

std::string around(Border border, int count, int margin) {
    std::string text;
    for (int i = -margin; i < count + margin; ++i) {
        const std::int64_t from = source_index(i, count, border);
        text += from < 0 ? '0' : static_cast<char>('a' + from);
    }
    return text;
}

TEST(Border, is_what_its_picture_says) {
    EXPECT_EQ(around(Border::zero, 4, 3), "000abcd000");
    EXPECT_EQ(around(Border::clamp, 4, 3), "aaaabcdddd");
    EXPECT_EQ(around(Border::mirror, 4, 3), "dcbabcdcba");
    EXPECT_EQ(around(Border::wrap, 4, 3), "bcdabcdabc");
}

TEST(Border, of_images_narrower_than_the_margin) {
    EXPECT_EQ(around(Border::mirror, 2, 4), "ababababab");
    EXPECT_EQ(around(Border::mirror, 1, 3), "aaaaaaa");
    EXPECT_EQ(around(Border::wrap, 2, 3),
              "bababa"
              "ba");
    EXPECT_EQ(around(Border::clamp, 1, 2), "aaaaa");
}

TEST(Border, has_names) {
    for (const Border border : {Border::zero, Border::clamp, Border::mirror, Border::wrap})
        EXPECT_EQ(*parse_border(to_text(border)), border);
    EXPECT_FALSE(parse_border("edge"));
}

}  // namespace border_test
}  // namespace lanescope::preview
