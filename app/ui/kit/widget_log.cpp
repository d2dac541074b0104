#include "ui/kit/widget_log.h"

#include <imgui.h>

#include <algorithm>

namespace lanescope::ui {
namespace {

std::string_view panel_name(const ImDrawList& draw) {
    return draw._OwnerName != nullptr ? std::string_view(draw._OwnerName) : std::string_view();
}

}  // namespace

WidgetLog::WidgetLog() {
    ImGui::GetIO().UserData = this;
}

WidgetLog::~WidgetLog() {
    ImGui::GetIO().UserData = nullptr;
}

void name_widget(std::string_view name, const Rect& rect) {
    auto* log = static_cast<WidgetLog*>(ImGui::GetIO().UserData);
    if (log == nullptr) return;
    const ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 low = draw.GetClipRectMin(), high = draw.GetClipRectMax();
    const float x = std::max(rect.x, low.x), y = std::max(rect.y, low.y);
    const Rect seen{x, y, std::min(rect.right(), high.x) - x, std::min(rect.bottom(), high.y) - y};
    if (seen.empty()) return;
    std::string whole(panel_name(draw));
    if (!name.empty()) whole += (whole.empty() ? "" : "/") + std::string(name);
    log->places_.push_back({std::move(whole), seen});
}

void name_last_item(std::string_view name) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    name_widget(name, {low.x, low.y, high.x - low.x, high.y - low.y});
}

}  // namespace lanescope::ui
