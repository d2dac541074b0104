#include <gtest/gtest.h>

#include <cmath>

#include "scene/inspector/variable_rows.h"
#include "scene/inspector/watch_rows.h"
#include "scene/words/problem_words.h"

namespace lanescope::scene {
namespace inspector_test {

TEST(VariablesPanel, lanes_in_few_words) {
    EXPECT_EQ(summarise_lanes({"2", "2", "2"}, {2, 2, 2}), "same in 3 lanes");
    EXPECT_EQ(summarise_lanes({"3", "0", "31"}, {3, 0, 31}), "0 … 31");
    EXPECT_EQ(summarise_lanes({"{1}", "{2}"}, {std::nan(""), std::nan("")}), "2 different");
    EXPECT_EQ(summarise_lanes({}, {}), "");
    EXPECT_EQ(summarise_lanes({"7"}, {7}), "in 1 lane");
}

TEST(VariablesPanel, threads_in_words) {
    trace::LaneInfo lane;
    lane.status = trace::LaneStatus::at_barrier;
    lane.line = 12;
    EXPECT_EQ(thread_words({64, 1, 1}, 37, lane), "t37 · warp 1, lane 5 · waits at the barrier on line 12");
    lane.status = trace::LaneStatus::finished;
    EXPECT_EQ(thread_words({16, 4, 1}, 37, lane), "t37 (5, 2) · warp 1, lane 5 · finished");
}

TEST(Watches, every_digit_of_an_integer_has_room) {
    for (const int digits : {1, 2, 3, 4, 5, 6, 8, 10, 11}) {
        const LaneRows rows = lane_rows(360, digits, 6.6f);
        EXPECT_GE(rows.characters, digits) << "in rows of " << rows.lanes;
        EXPECT_LE(rows.pitch_px * float(rows.lanes), 360);
        EXPECT_LE(float(rows.characters) * 6.6f, rows.pitch_px - 4);
    }
    EXPECT_EQ(lane_rows(390, 1, 6.6f).lanes, 32) << "booleans fit into one row";
    EXPECT_EQ(lane_rows(380, 3, 6.6f).lanes, 8) << "three digits do not fit into a sixteenth";
    EXPECT_EQ(lane_rows(390, 40, 6.6f).lanes, 4);
}

TEST(Watches, real_numbers_are_cut_to_a_few_digits) {
    EXPECT_EQ(wanted_characters("-12345"), 6);
    EXPECT_EQ(wanted_characters("18446744073709551615"), 20);
    EXPECT_EQ(wanted_characters("-0.333333343"), 7);
    EXPECT_EQ(wanted_characters("0.5"), 3);
}

TEST(ProblemsPanel, those_of_later_steps_come_later) {
    trace::Problem problem;
    problem.first.turn = 4;
    problem.second = problem.first;
    problem.second.turn = 9;
    problem.second.line = 3;
    EXPECT_TRUE(comes_later(problem, 4));
    EXPECT_TRUE(comes_later(problem, 9)) << "a race needs both accesses";
    EXPECT_FALSE(comes_later(problem, 10));
    problem.second.line = 0;
    EXPECT_FALSE(comes_later(problem, 9)) << "there is no second access";
}

TEST(ProblemsPanel, sites_in_words) {
    trace::ProblemSite site;
    site.line = 10;
    site.thread = 4;
    site.block = 0;
    EXPECT_EQ(site_words(site), "line 10, t4 of block 0");
    EXPECT_EQ(site_words({}), "unknown line");
}

}  // namespace inspector_test
}  // namespace lanescope::scene
