// The visible part of an axis of time, which the mouse moves.
#pragma once

#include <functional>
#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

struct TimeAxis {
    double begin = 0, end = 1;  // what is visible
    Rect rect;                  // the place of the axis: its left and right ends are those of the plot

    double per_unit_px() const { return double(rect.width) / (end - begin); }
    float x_of(double at) const { return float(rect.x + (at - begin) * per_unit_px()); }
    double at(float x) const { return begin + double(x - rect.x) / per_unit_px(); }

    void zoom_with_wheel();  // around the mouse
    bool drag();             // with the right or the middle button; false: neither is down
    // `length` is all there is, `least` the shortest part that is shown.
    void keep_within(double length, double least);
    // Draws marks at round places, with their labels.
    void draw(const WindowState& window, const std::function<std::string(double)>& label) const;
};

}  // namespace lanescope::ui
