// The 32 columns that the stage and the warps view share, so that lanes line up with the memory cells that
// they own.
#pragma once

#include "ui/kit/view.h"

namespace lanescope::ui {

struct LaneGrid {
    float label_x = 0;  // left edge of names
    float label_width = 0;
    float cells_x = 0;  // left edge of lane 0
    float pitch = 0;    // from one lane to the next
    float cell = 0;     // width of a cell; the rest of the pitch is the gap
    float right = 0;    // right edge of lane 31 when nothing is zoomed: the space that cells may fill

    float x(double column) const { return cells_x + static_cast<float>(column) * pitch; }
    // Column under a window coordinate; may be negative or 32 and more.
    int column_at(float window_x) const;
    // Width of a cell that spans this many lanes.
    float width(float lanes) const { return lanes * pitch - (pitch - cell); }
};

constexpr float min_lane_zoom = 0.25f;
constexpr float max_lane_zoom = 6.0f;

// How much larger the columns are than those of which 32 fill the panel.
float lane_scale(const LaneColumns& columns);

// `inside` is the content rectangle of a panel; both panels have the same x and width.
// `scale` is the window's.
LaneGrid lane_grid(const Rect& inside, const LaneColumns& columns, float scale);

// Zooms about a window coordinate: the column under it stays where it is. Keeps the columns within reach.
void zoom_lanes(const Rect& inside, LaneColumns& columns, float scale, float factor, float window_x);
void pan_lanes(const Rect& inside, LaneColumns& columns, float scale, float by_px);
void fit_lanes(LaneColumns& columns);

}  // namespace lanescope::ui
