// The 32 columns that the stage and the warps view share, so that lanes line up with their memory cells.
#pragma once

#include "scene/stage/lane_grid.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

constexpr float min_lane_zoom = 0.25f;
constexpr float max_lane_zoom = 6.0f;

// Returns the columns' size relative to columns of which 32 fill the panel.
float lane_scale(const LaneColumns& columns);

// `inside` is the content rectangle of a panel; both panels have the same x and width. `scale`: the window's.
LaneGrid lane_grid(const Rect& inside, const LaneColumns& columns, float scale);

// Zooms about a window coordinate: the column under it stays in place. Keeps the columns in sight.
void zoom_lanes(const Rect& inside, LaneColumns& columns, float scale, float factor, float window_x);
void pan_lanes(const Rect& inside, LaneColumns& columns, float scale, float by_px);
void fit_lanes(LaneColumns& columns);

}  // namespace lanescope::ui
