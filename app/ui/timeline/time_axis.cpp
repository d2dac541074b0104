#include "ui/timeline/time_axis.h"

#include <algorithm>
#include <cmath>

#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

// Returns the smallest number not below `least` that is 1, 2 or 5 times a power of ten.
double round_step(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(std::max(least, 1e-9))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= least) return power * factor;
    return power * 10;
}

}  // namespace

void TimeAxis::zoom_with_wheel() {
    const ImGuiIO& io = ImGui::GetIO();
    const double centre = at(io.MousePos.x), factor = std::pow(0.8, double(io.MouseWheel));
    begin = centre - (centre - begin) * factor;
    end = centre + (end - centre) * factor;
}

bool TimeAxis::drag() {
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Right) && !ImGui::IsMouseDown(ImGuiMouseButton_Middle))
        return false;
    const double moved = double(ImGui::GetIO().MouseDelta.x) / per_unit_px();
    begin -= moved, end -= moved;
    return true;
}

void TimeAxis::keep_within(double length, double least) {
    length = std::max(length, 1.0);
    const double shown = std::clamp(end - begin, std::min(least, length), length);
    begin = std::clamp(begin, 0.0, length - shown);
    end = begin + shown;
}

void TimeAxis::draw(const WindowState& window, const std::function<std::string(double)>& label) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const double step = round_step(double(window.px(110)) / per_unit_px()), last = at(rect.right());
    for (double tick = std::ceil(begin / step) * step; tick <= last; tick += step) {
        const float x = x_of(tick);
        draw->AddLine({x, rect.y}, {x, rect.y + window.px(4)}, theme().text_faint);
        const std::string words = label(tick);
        if (x + window.px(4) + text_width(fonts().small, words) > rect.right() + window.px(24)) continue;
        draw_text(draw, fonts().small, {x + window.px(4), rect.y + window.px(2)}, theme().text_quiet, words);
    }
}

}  // namespace lanescope::ui
