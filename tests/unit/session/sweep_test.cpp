#include "session/timing/sweep.h"

#include <gtest/gtest.h>

namespace lanescope::session {
namespace sweep_test {

using Values = std::vector<std::int64_t>;

Values values(const std::string& text) {
    const auto sweep = parse_sweep(text);
    EXPECT_TRUE(sweep) << to_text(sweep.diagnostics());
    return sweep ? sweep->values : Values{};
}

std::string refusal(const std::string& text) {
    const auto sweep = parse_sweep(text);
    EXPECT_FALSE(sweep) << text;
    return sweep ? "" : sweep.diagnostics().front().message;
}

lesson::FrontMatter front() {
    lesson::FrontMatter made;
    lesson::Parameter n, block;
    n.name = "n";
    n.min = 1, n.max = 100;
    block.name = "block";
    block.choices = {32, 128};
    made.parameters = {n, block};
    return made;
}

TEST(Sweep, ranges_are_powers_of_two_with_both_ends) {
    EXPECT_EQ(values("n=2^3..2^6"), (Values{8, 16, 32, 64}));
    EXPECT_EQ(values("n=1..5"), (Values{1, 2, 4, 5}));
    EXPECT_EQ(values("n=3..3"), (Values{3}));
    EXPECT_EQ(values("n=3..4"), (Values{3, 4}));
    EXPECT_EQ(values("n=1000..5000"), (Values{1000, 1024, 2048, 4096, 5000}));
    EXPECT_EQ(values("n=2^61..2^62"), (Values{std::int64_t{1} << 61, std::int64_t{1} << 62}));
    EXPECT_EQ(values("n=2^62..9223372036854775807").size(), 2u);
}

TEST(Sweep, lists_are_as_written) {
    EXPECT_EQ(values("n=1000,7,2^10"), (Values{1000, 7, 1024}));
    EXPECT_EQ(values("n=5"), (Values{5}));
}

TEST(Sweep, bad_forms_are_refused) {
    EXPECT_EQ(refusal("n"), "'n' is not a sweep");
    EXPECT_EQ(refusal("=1,2"), "'=1,2' is not a sweep");
    EXPECT_NE(refusal("n=8..4").find("from 8 to 4"), std::string::npos);
    EXPECT_NE(refusal("n=0..4").find("at least 1") == std::string::npos, false);
    for (const char* text : {"n=", "n=1,,2", "n=1,", "n=..4", "n=4..", "n=a..b", "1n=3", "n=1..2..3"})
        EXPECT_NE(refusal(text), "") << text;
}

TEST(Sweep, points_are_all_combinations) {
    std::vector<std::string> notes;
    const auto points =
        points_of(front(), "x.cu", {}, {*parse_sweep("n=1,2"), *parse_sweep("block=32,128")}, notes);
    ASSERT_TRUE(points) << to_text(points.diagnostics());
    ASSERT_EQ(points->size(), 4u);
    EXPECT_EQ((*points)[1].at("n"), 1);
    EXPECT_EQ((*points)[1].at("block"), 128);
    EXPECT_TRUE(notes.empty());
    const auto fixed = points_of(front(), "x.cu", {{"block", 32}}, {*parse_sweep("n=7")}, notes);
    EXPECT_EQ(fixed->front().at("block"), 32);
    EXPECT_EQ(points_of(front(), "x.cu", {}, {}, notes)->size(), 1u);
}

TEST(Sweep, what_a_range_has_beyond_the_parameter_is_told) {
    std::vector<std::string> notes;
    const auto points =
        points_of(front(), "x.cu", {}, {*parse_sweep("n=32..512"), *parse_sweep("block=32..1024")}, notes);
    ASSERT_TRUE(points) << to_text(points.diagnostics());
    EXPECT_EQ(points->size(), 4u);  // 32, 64 × 32, 128
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_EQ(notes[0],
              "x.cu: 3 of the 5 values of 'n' are left out: 128 is above its maximum 100, and so on");
}

TEST(Sweep, bad_values_and_parameters_are_errors) {
    std::vector<std::string> notes;
    const auto error = [&](const char* sweep) {
        const auto points = points_of(front(), "x.cu", {}, {*parse_sweep(sweep)}, notes);
        return points ? std::string() : to_text(points.diagnostics());
    };
    EXPECT_EQ(error("n=5,101"), "x.cu: error: parameter 'n': 101 is above its maximum 100\n");
    EXPECT_EQ(error("n=200..300"), "x.cu: error: parameter 'n': 300 is above its maximum 100\n");
    EXPECT_EQ(error("m=5"), "x.cu: error: the file has no parameter 'm' to sweep\n");
}

}  // namespace sweep_test
}  // namespace lanescope::session
