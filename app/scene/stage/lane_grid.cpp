#include "scene/stage/lane_grid.h"

#include <algorithm>
#include <cmath>

namespace lanescope::scene {

namespace {

constexpr float lanes = 32;
constexpr float left_padding_px = 12;
constexpr float lane_label_px = 88;
constexpr float right_padding_px = 16;
constexpr float min_pitch_px = 8;

}  // namespace

int LaneGrid::column_at(float window_x) const {
    constexpr float most = 1 << 20;  // a mouse may be anywhere
    return static_cast<int>(std::floor(std::clamp((window_x - cells_x) / pitch, -most, most)));
}

float first_lane_x(const LaneFrame& frame) {
    return frame.x + (left_padding_px + lane_label_px) * frame.scale;
}

float fitted_pitch(const LaneFrame& frame) {
    const float free = frame.width - (left_padding_px + lane_label_px + right_padding_px) * frame.scale;
    return std::max(min_pitch_px * frame.scale, free / lanes);
}

LaneGrid lane_grid(const LaneFrame& frame) {
    LaneGrid grid;
    const float base = fitted_pitch(frame);
    grid.label_x = frame.x + left_padding_px * frame.scale;
    grid.label_width = lane_label_px * frame.scale;
    const float first = grid.label_x + grid.label_width;
    grid.right = first + lanes * base;
    grid.pitch = base * frame.zoom;
    // Whole pixels keep the gaps between cells equal when nothing is zoomed.
    if (grid.pitch >= 12) grid.pitch = std::floor(grid.pitch * 2) / 2;
    grid.cells_x = std::round(first - frame.pan_px);
    grid.cell = grid.pitch - std::clamp(std::floor(grid.pitch / 24), 1.0f, 4.0f);
    return grid;
}

}  // namespace lanescope::scene
