#include "ui/kit/overlay.h"

#include <algorithm>
#include <cmath>

#include "ui/kit/widgets.h"

namespace lanescope::ui {

void begin_overlay(const char* id, const Rect& box, const WindowState& window, ImGuiWindowFlags more) {
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground;
    ImGui::SetNextWindowPos(box.min());
    ImGui::SetNextWindowSize(ImVec2(box.width, box.height));
    ImGui::Begin(id, nullptr, flags | more);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, window.px(8));
    draw->AddRect(box.min(), box.max(), theme().line, window.px(8));
}

Rect centred(float width, float height) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    width = std::min(width, display.x), height = std::min(height, display.y);
    return {std::round((display.x - width) / 2), std::round((display.y - height) / 2), width, height};
}

bool clicked_outside(const Rect& box, const WindowState& window) {
    return !window.still && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
           !ImGui::IsMouseHoveringRect(box.min(), box.max(), false) && !list_is_open();
}

}  // namespace lanescope::ui
