#include <gtest/gtest.h>

#include <cmath>

#include "ui/problems_view.h"
#include "ui/variables_view.h"

namespace lanescope::ui {
namespace {

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

TEST(ProblemsPanel, sites_in_words) {
    trace::ProblemSite site;
    site.line = 10;
    site.thread = 4;
    site.block = 0;
    EXPECT_EQ(site_words(site), "line 10, t4 of block 0");
    EXPECT_EQ(site_words({}), "unknown line");
}

}  // namespace
}  // namespace lanescope::ui
