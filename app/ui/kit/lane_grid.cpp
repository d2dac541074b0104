#include "ui/kit/lane_grid.h"

#include <algorithm>

namespace lanescope::ui {

namespace {

LaneFrame frame_of(const Rect& inside, const WindowState& shared) {
    return {inside.x, inside.width, shared.scale, lane_scale(shared), shared.lane_pan_px};
}

}  // namespace

float lane_scale(const WindowState& shared) {
    return shared.lane_fit * shared.lane_zoom;
}

LaneGrid lane_grid(const Rect& inside, const WindowState& shared) {
    return scene::lane_grid(frame_of(inside, shared));
}

void pan_lanes(const Rect& inside, WindowState& shared, float by_px) {
    const float base = fitted_pitch(frame_of(inside, shared));
    const float furthest = std::max(0.0f, 32 * base * (lane_scale(shared) - 1));
    shared.lane_pan_px = std::clamp(shared.lane_pan_px + by_px, 0.0f, furthest);
}

void zoom_lanes(const Rect& inside, WindowState& shared, float factor, float window_x) {
    const float first = first_lane_x(frame_of(inside, shared));
    const float old = shared.lane_zoom;
    shared.lane_zoom = std::clamp(old * factor, min_lane_zoom, max_lane_zoom);
    const float from_first = window_x - first + shared.lane_pan_px;
    pan_lanes(inside, shared, from_first * (shared.lane_zoom / old - 1));
}

void fit_lanes(WindowState& shared) {
    shared.lane_zoom = 1;
    shared.lane_pan_px = 0;
}

}  // namespace lanescope::ui
