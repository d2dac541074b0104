#include <gtest/gtest.h>

#include "lesson/instance.h"

namespace lanescope::lesson {
namespace cost_test {

std::string file_with(const std::string& cost) {
    return "/*--- lanescope\n[params]\nn = { default = 8 }\n[buffers]\n"
           "in = { type = \"int\", count = \"n\", init = \"iota\" }\nout = { type = \"int\", count = \"1\" "
           "}\n"
           "[[launch]]\nkernel = \"k\"\ngrid = [\"1\"]\nblock = [\"32\"]\nargs = [\"in\", \"out\"]\n" +
           cost + "---*/\n";
}

TEST(Cost, amounts_are_expressions_over_parameters_and_buffers) {
    const auto front = parse_front_matter(
        file_with("[cost]\nbytes = \"4 * in.count + 4\"\noperations = \"n - 1\"\npeer = \"cub_reduce\"\n"),
        "x.cu");
    ASSERT_TRUE(front) << to_text(front.diagnostics());
    EXPECT_EQ(front->cost.peer, "cub_reduce");
    const auto instance = instantiate(*front, {{"n", 100}}, "x.cu");
    ASSERT_TRUE(instance);
    const auto cost = cost_of(front->cost, *instance, "x.cu");
    ASSERT_TRUE(cost);
    EXPECT_EQ(cost->bytes, 404);
    EXPECT_EQ(cost->operations, 99);
    const auto again = parse_front_matter(write_front_matter(*front), "x.cu");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->cost.bytes.text, "4 * in.count + 4");
    EXPECT_EQ(again->cost.peer, "cub_reduce");
}

TEST(Cost, nothing_said_is_nothing) {
    const auto front = parse_front_matter(file_with(""), "x.cu");
    ASSERT_TRUE(front);
    const auto instance = instantiate(*front, {}, "x.cu");
    const auto cost = cost_of(front->cost, *instance, "x.cu");
    ASSERT_TRUE(cost);
    EXPECT_EQ(cost->bytes, 0);
    EXPECT_EQ(cost->operations, 0);
}

TEST(Cost, bad_amounts_are_located) {
    const auto unknown = parse_front_matter(file_with("[cost]\nbytes = \"4 * m\"\n"), "x.cu");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.diagnostics().front().line, 13);
    const auto key = parse_front_matter(file_with("[cost]\nbites = \"4\"\n"), "x.cu");
    ASSERT_FALSE(key);
    EXPECT_NE(to_text(key.diagnostics()).find("bytes"), std::string::npos);
    const auto front = parse_front_matter(file_with("[cost]\nbytes = \"n - 9\"\n"), "x.cu");
    ASSERT_TRUE(front);
    const auto instance = instantiate(*front, {}, "x.cu");
    const auto cost = cost_of(front->cost, *instance, "x.cu");
    ASSERT_FALSE(cost);
    EXPECT_EQ(to_text(cost.diagnostics()),
              "x.cu:13:10: error: the number of bytes is -1 (expected 0 or more)\n");
}

}  // namespace cost_test
}  // namespace lanescope::lesson
