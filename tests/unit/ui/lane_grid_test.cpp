#include "ui/kit/lane_grid.h"

#include <gtest/gtest.h>

namespace lanescope::ui {
namespace {

TEST(LaneGrid, stage_and_warps_share_their_columns) {
    WindowState shared;
    const LaneGrid stage = lane_grid({236, 77, 944, 430}, shared);
    const LaneGrid warps = lane_grid({236, 541, 944, 247}, shared);
    EXPECT_EQ(stage.cells_x, warps.cells_x);
    EXPECT_EQ(stage.pitch, warps.pitch);
    EXPECT_LE(stage.x(32), 236 + 944);
    EXPECT_GT(stage.cells_x, stage.label_x);
}

TEST(LaneGrid, column_under_a_coordinate) {
    WindowState shared;
    const LaneGrid grid = lane_grid({0, 0, 944, 400}, shared);
    EXPECT_EQ(grid.column_at(grid.x(7) + 1), 7);
    EXPECT_EQ(grid.column_at(grid.x(0) - 1), -1);
    EXPECT_EQ(grid.column_at(grid.x(32) + 1), 32);
}

TEST(LaneGrid, zoom_keeps_the_column_under_the_mouse) {
    WindowState shared;
    const Rect inside{0, 0, 1000, 400};
    const float mouse = lane_grid(inside, shared).x(20);
    zoom_lanes(inside, shared, 2, mouse);
    EXPECT_NEAR(lane_grid(inside, shared).x(20), mouse, 20.0f);  // columns are on whole half pixels
    EXPECT_GT(lane_grid(inside, shared).pitch, 50);
    fit_lanes(shared);
    EXPECT_EQ(shared.lane_pan_px, 0);
}

TEST(LaneGrid, bad_zoom_and_pan_stay_within_limits) {
    WindowState shared;
    const Rect inside{0, 0, 900, 400};
    zoom_lanes(inside, shared, 1e9f, 500);
    EXPECT_EQ(shared.lane_zoom, max_lane_zoom);
    pan_lanes(inside, shared, 1e9f);
    EXPECT_LE(shared.lane_pan_px, 900 * max_lane_zoom);
    zoom_lanes(inside, shared, 1e-9f, 500);
    EXPECT_EQ(shared.lane_zoom, min_lane_zoom);
    EXPECT_EQ(shared.lane_pan_px, 0);
    EXPECT_GT(lane_grid({0, 0, 1, 1}, shared).pitch, 0);
}

}  // namespace
}  // namespace lanescope::ui
