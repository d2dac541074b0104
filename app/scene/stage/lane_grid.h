// The columns that memory cells and lanes share: lane 0 to 31 from left to right.
#pragma once

namespace lanescope::scene {

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
    bool operator==(const LaneGrid&) const = default;
};

// Where the columns are: `x` and `width` of the panel, `zoom` relative to the size at which 32 columns fill
// it.
struct LaneFrame {
    float x = 0, width = 0;
    float scale = 1;
    float zoom = 1;
    float pan_px = 0;  // to the left
};
LaneGrid lane_grid(const LaneFrame& frame);
float first_lane_x(const LaneFrame& frame);  // before it is panned
float fitted_pitch(const LaneFrame& frame);  // at which 32 columns fill the panel

}  // namespace lanescope::scene
