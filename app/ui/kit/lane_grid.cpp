#include "ui/kit/lane_grid.h"

#include <algorithm>
#include <cmath>

namespace lanescope::ui {

namespace {

constexpr float lanes = 32;
constexpr float left_padding_px = 12;
constexpr float label_px = 88;
constexpr float right_padding_px = 16;
constexpr float min_pitch_px = 8;

float fitted_pitch(const Rect& inside, float scale) {
    const float free = inside.width - (left_padding_px + label_px + right_padding_px) * scale;
    return std::max(min_pitch_px * scale, free / lanes);
}

}  // namespace

int LaneGrid::column_at(float window_x) const {
    return static_cast<int>(std::floor((window_x - cells_x) / pitch));
}

float lane_scale(const LaneColumns& columns) {
    return columns.fit * columns.zoom;
}

LaneGrid lane_grid(const Rect& inside, const LaneColumns& columns, float scale) {
    LaneGrid grid;
    const float base = fitted_pitch(inside, scale);
    grid.label_x = inside.x + left_padding_px * scale;
    grid.label_width = label_px * scale;
    const float first = grid.label_x + grid.label_width;
    grid.right = first + lanes * base;
    grid.pitch = base * lane_scale(columns);
    // Whole pixels keep the gaps between cells equal when nothing is zoomed.
    if (grid.pitch >= 12) grid.pitch = std::floor(grid.pitch * 2) / 2;
    grid.cells_x = std::round(first - columns.pan_px);
    grid.cell = grid.pitch - std::clamp(std::floor(grid.pitch / 24), 1.0f, 4.0f);
    return grid;
}

void pan_lanes(const Rect& inside, LaneColumns& columns, float scale, float by_px) {
    const float base = fitted_pitch(inside, scale);
    const float furthest = std::max(0.0f, lanes * base * (lane_scale(columns) - 1));
    columns.pan_px = std::clamp(columns.pan_px + by_px, 0.0f, furthest);
}

void zoom_lanes(const Rect& inside, LaneColumns& columns, float scale, float factor, float window_x) {
    const float first = inside.x + (left_padding_px + label_px) * scale;
    const float old = columns.zoom;
    columns.zoom = std::clamp(old * factor, min_lane_zoom, max_lane_zoom);
    const float from_first = window_x - first + columns.pan_px;
    pan_lanes(inside, columns, scale, from_first * (columns.zoom / old - 1));
}

void fit_lanes(LaneColumns& columns) {
    columns.zoom = 1;
    columns.pan_px = 0;
}

}  // namespace lanescope::ui
