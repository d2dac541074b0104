#include "execution/run/block_list.h"

#include <gtest/gtest.h>

namespace lanescope::execution {
namespace block_list_test {

using Blocks = std::vector<std::uint32_t>;

TEST(BlockList, numbers_and_ranges_in_any_order) {
    EXPECT_EQ(*parse_block_list("0"), Blocks{0});
    EXPECT_EQ(*parse_block_list("0,1,5-6"), (Blocks{0, 1, 5, 6}));
    EXPECT_EQ(*parse_block_list("9,3-4,4-5"), (Blocks{3, 4, 5, 9}));
    EXPECT_EQ(*parse_block_list("4294967295"), Blocks{4294967295u});
    EXPECT_EQ(parse_block_list("1-65536")->size(), 65536u);
}

TEST(BlockList, bad_lists) {
    for (const char* text : {"", ",", "1,", ",1", "1,,2", "a", "1-", "-1", "1-2-3", "6-5", "1 2", " 1",
                             "4294967296", "0-65536", "0-4294967295", "0-65535,70000"})
        EXPECT_FALSE(parse_block_list(text)) << text;
}

}  // namespace block_list_test
}  // namespace lanescope::execution
