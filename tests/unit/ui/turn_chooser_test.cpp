#include "ui/inputs/turn_chooser.h"

#include <gtest/gtest.h>

namespace lanescope::ui {
namespace turn_chooser_test {

std::vector<simt::ThreadTurns> turns(const char* text) {
    return *simt::parse_thread_turns(text);
}

TEST(TurnChooser, writes_turns_one_by_one) {
    EXPECT_EQ(turns_words(turns("0*2,1,0"), false, 9), "0 0 1 0");
    EXPECT_EQ(turns_words(turns("0*2,1.5"), true, 9), "0.0 0.0 1.5");
    EXPECT_EQ(turns_words(turns("0*2,1,2"), false, 3), "… 0 1 2");
    EXPECT_EQ(turns_words({}, false, 3), "");
}

TEST(TurnChooser, takes_one_turn_back) {
    EXPECT_EQ(undone(turns("0*2,1")), turns("0*2"));
    EXPECT_EQ(undone(turns("0*2")), turns("0"));
    EXPECT_TRUE(undone(turns("0")).empty());
    EXPECT_TRUE(undone({}).empty());
}

}  // namespace turn_chooser_test
}  // namespace lanescope::ui
