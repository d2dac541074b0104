#include "lesson/course/figure.h"

#include <gtest/gtest.h>

#include "lesson/course/markdown_text.h"

namespace lanescope::lesson {
namespace figure_test {

TEST(Figure, targets_name_kind_place_and_arrays) {
    const auto flow = parse_figure("flow");
    ASSERT_TRUE(flow);
    EXPECT_EQ(flow->kind, Figure::Kind::flow);
    EXPECT_FALSE(flow->at);
    const auto stage = parse_figure("stage?code=if (a && b) s[t] +=&visit=-1&block=2&array=s,out");
    ASSERT_TRUE(stage);
    ASSERT_TRUE(stage->at);
    EXPECT_EQ(stage->at->line.code, "if (a && b) s[t] +=");
    EXPECT_EQ(stage->at->visit, -1);
    EXPECT_EQ(stage->at->block, 2);
    EXPECT_EQ(stage->arrays, (std::vector<std::string>{"s", "out"}));
    EXPECT_FALSE(stage->banks);
    EXPECT_EQ(parse_figure("stage?line=31")->at->line.number, 31);
    EXPECT_TRUE(parse_figure("stage?array=s&columns=banks")->banks);
}

TEST(PlainText, has_the_words_without_marks) {
    EXPECT_EQ(plain_text("Why is there **no** `if`? See [Scan](scan)."), "Why is there no if? See Scan.");
    EXPECT_EQ(plain_text("a * b * c"), "a * b * c");
}

TEST(Figure, bad_targets_are_errors) {
    for (const char* target :
         {"", "picture.png", "stage?line=0", "stage?line=x", "stage?visit=2", "stage?visit=0&line=1",
          "stage?block=-1&line=1", "stage?colour=red", "stage?code=a&line=2", "stage?array=", "stage?array=,",
          "stage?columns=lanes", "flow?columns=banks"}) {
        EXPECT_FALSE(parse_figure(target)) << target;
    }
}

}  // namespace figure_test
}  // namespace lanescope::lesson
