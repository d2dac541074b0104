#include "ui/kit/lane_grid.h"

#include <algorithm>

namespace lanescope::ui {

namespace {

LaneFrame frame_of(const Rect& inside, const LaneColumns& columns, float scale) {
    return {inside.x, inside.width, scale, lane_scale(columns), columns.pan_px};
}

}  // namespace

float lane_scale(const LaneColumns& columns) {
    return columns.fit * columns.zoom;
}

LaneGrid lane_grid(const Rect& inside, const LaneColumns& columns, float scale) {
    return scene::lane_grid(frame_of(inside, columns, scale));
}

void pan_lanes(const Rect& inside, LaneColumns& columns, float scale, float by_px) {
    const float base = fitted_pitch(frame_of(inside, columns, scale));
    const float furthest = std::max(0.0f, 32 * base * (lane_scale(columns) - 1));
    columns.pan_px = std::clamp(columns.pan_px + by_px, 0.0f, furthest);
}

void zoom_lanes(const Rect& inside, LaneColumns& columns, float scale, float factor, float window_x) {
    const float first = first_lane_x(frame_of(inside, columns, scale));
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
