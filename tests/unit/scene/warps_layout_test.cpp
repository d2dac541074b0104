#include "scene/warps/warps_layout.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lanescope::scene {
namespace warps_layout_test {

using trace::LaneStatus;

TEST(WarpsLayout, few_warps_are_shown_in_full) {
    const WarpsLayout layout = make_warps_layout(2, 0, {250});
    ASSERT_EQ(layout.rows.size(), 2u);
    EXPECT_EQ(layout.rows[0].form, WarpForm::roomy);
    EXPECT_LE(layout.height, 260);
    EXPECT_EQ(make_warps_layout(4, 0, {290}).rows[3].form, WarpForm::tight);
}

TEST(WarpsLayout, many_warps_are_strips_below_the_pinned_one) {
    const WarpsLayout layout = make_warps_layout(32, 5, {250});
    ASSERT_EQ(layout.rows.size(), 33u);
    EXPECT_EQ(layout.rows[0].warp, 5u);
    EXPECT_TRUE(layout.rows[0].detailed());
    EXPECT_EQ(layout.rows[1].warp, 0u);
    EXPECT_FALSE(layout.rows[1].detailed());
    for (std::size_t i = 1; i < layout.rows.size(); ++i)
        EXPECT_GE(layout.rows[i].y, layout.rows[i - 1].bottom);
}

TEST(WarpsLayout, a_point_finds_its_row) {
    const WarpsLayout layout = make_warps_layout(2, 0, {250});
    const WarpRow& second = layout.rows[1];
    EXPECT_EQ(layout.row_at(second.y + 2), 1u);
    EXPECT_FALSE(layout.row_at(second.y + second.cell_height + 2));
    EXPECT_FALSE(layout.row_at(0));
}

TEST(WarpsLayout, wide_lanes_may_be_higher_where_there_is_room) {
    const float low = make_warps_layout(1, 0, {250, 0, 1, 1}).rows[0].cell_height;
    const float high = make_warps_layout(1, 0, {250, 0, 1, 1.5f}).rows[0].cell_height;
    EXPECT_FLOAT_EQ(high, 1.5f * low);
    const WarpsLayout full = make_warps_layout(3, 0, {290, 0, 1, 3});
    EXPECT_LE(full.height, 300);
}

TEST(WarpsLayout, bad_counts_do_no_harm) {
    EXPECT_TRUE(make_warps_layout(0, 3, {250}).rows.empty());
    EXPECT_EQ(make_warps_layout(9, 77, {0}).rows[0].warp, 8u);
}

TEST(WarpsLayout, the_summary_counts_the_lanes_that_acted) {
    std::array<trace::LaneInfo, trace::warp_size> lanes{};
    for (trace::LaneInfo& lane : lanes)
        lane = {LaneStatus::active, 34, 0, 0};
    const WarpSummary summary = summarise(lanes, 0x01010101);
    EXPECT_EQ(summary.mask_text, "01010101");
    EXPECT_EQ(summary.count_text, "4/32 · line 34");
}

TEST(WarpsLayout, summary_of_a_split_warp) {
    std::array<trace::LaneInfo, trace::warp_size> lanes{};
    for (unsigned lane = 0; lane < 32; ++lane) {
        lanes[lane].status = lane % 4 == 0 ? LaneStatus::active : LaneStatus::diverged;
        lanes[lane].line = lane % 4 == 0 ? 10 : 12;
    }
    const WarpSummary summary = summarise(lanes);
    EXPECT_EQ(summary.mask_text, "11111111");
    EXPECT_EQ(summary.count_text, "8/32 · line 10");
}

TEST(WarpsLayout, summary_of_warps_that_do_not_run) {
    std::array<trace::LaneInfo, trace::warp_size> lanes{};
    for (unsigned lane = 0; lane < 5; ++lane)
        lanes[lane].status = LaneStatus::at_barrier;
    EXPECT_EQ(summarise(lanes).count_text, "at barrier");
    for (unsigned lane = 0; lane < 5; ++lane)
        lanes[lane].status = LaneStatus::finished;
    EXPECT_EQ(summarise(lanes).count_text, "finished");
    lanes[2].status = LaneStatus::active;
    EXPECT_EQ(summarise(lanes).count_text, "1/5");
}

TEST(WarpsLayout, values_are_shortened) {
    EXPECT_EQ(shorten("24", 24, 3), "24");
    EXPECT_EQ(shorten("0.33333334", 0.33333334, 5), "0.333");
    EXPECT_EQ(shorten("4294967296", 4294967296.0, 3), "4e9");
    EXPECT_EQ(shorten("{1, 2, 3}", std::nan(""), 5), "{1, …");
    EXPECT_EQ(shorten("-123456", -123456, 2), "…");
    EXPECT_EQ(shorten("x", 1, 0), "");
}

}  // namespace warps_layout_test
}  // namespace lanescope::scene
