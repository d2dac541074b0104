#include "ui/kit/lane_grid.h"

#include <gtest/gtest.h>

namespace lanescope::ui {
namespace lane_grid_test {

TEST(LaneGrid, stage_and_warps_share_their_columns) {
    LaneColumns columns;
    const LaneGrid stage = lane_grid({236, 77, 944, 430}, columns, 1);
    const LaneGrid warps = lane_grid({236, 541, 944, 247}, columns, 1);
    EXPECT_EQ(stage.cells_x, warps.cells_x);
    EXPECT_EQ(stage.pitch, warps.pitch);
    EXPECT_LE(stage.x(32), 236 + 944);
    EXPECT_GT(stage.cells_x, stage.label_x);
}

TEST(LaneGrid, column_under_a_coordinate) {
    LaneColumns columns;
    const LaneGrid grid = lane_grid({0, 0, 944, 400}, columns, 1);
    EXPECT_EQ(grid.column_at(grid.x(7) + 1), 7);
    EXPECT_EQ(grid.column_at(grid.x(0) - 1), -1);
    EXPECT_EQ(grid.column_at(grid.x(32) + 1), 32);
}

TEST(LaneGrid, zoom_keeps_the_column_under_the_mouse) {
    LaneColumns columns;
    const Rect inside{0, 0, 1000, 400};
    const float mouse = lane_grid(inside, columns, 1).x(20);
    zoom_lanes(inside, columns, 1, 2, mouse);
    EXPECT_NEAR(lane_grid(inside, columns, 1).x(20), mouse,
                20.0f);  // columns lie on multiples of half a pixel
    EXPECT_GT(lane_grid(inside, columns, 1).pitch, 50);
    fit_lanes(columns);
    EXPECT_EQ(columns.pan_px, 0);
}

TEST(LaneGrid, bad_zoom_and_pan_stay_within_limits) {
    LaneColumns columns;
    const Rect inside{0, 0, 900, 400};
    zoom_lanes(inside, columns, 1, 1e9f, 500);
    EXPECT_EQ(columns.zoom, max_lane_zoom);
    pan_lanes(inside, columns, 1, 1e9f);
    EXPECT_LE(columns.pan_px, 900 * max_lane_zoom);
    zoom_lanes(inside, columns, 1, 1e-9f, 500);
    EXPECT_EQ(columns.zoom, min_lane_zoom);
    EXPECT_EQ(columns.pan_px, 0);
    EXPECT_GT(lane_grid({0, 0, 1, 1}, columns, 1).pitch, 0);
}

}  // namespace lane_grid_test
}  // namespace lanescope::ui
