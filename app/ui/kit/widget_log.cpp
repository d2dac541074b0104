#include "ui/kit/widget_log.h"

#include <imgui.h>

#include <algorithm>

namespace lanescope::ui {
namespace {

// Removes the ## that keeps Dear ImGui from drawing the name, and the blanks that leave room for an arrow.
std::string readable_name(std::string_view name) {
    if (name.starts_with("##")) name.remove_prefix(2);
    while (name.ends_with(' '))
        name.remove_suffix(1);
    return std::string(name);
}

WidgetLog* current_log() {
    return static_cast<WidgetLog*>(ImGui::GetIO().UserData);
}

// Removes the eight-digit number that Dear ImGui adds to the names of child windows and popups.
std::string_view without_number(std::string_view part) {
    constexpr std::size_t digits = 8;
    if (part.size() <= digits || part[part.size() - digits - 1] != '_') return part;
    const std::string_view number = part.substr(part.size() - digits);
    const bool hexadecimal = number.find_first_not_of("0123456789abcdefABCDEF") == number.npos;
    return hexadecimal ? part.substr(0, part.size() - digits - 1) : part;
}

// Returns "source/code" for "##source/code_830462E4".
std::string readable_panel(std::string_view panel) {
    std::string text;
    while (!panel.empty()) {
        const std::size_t end = std::min(panel.find('/'), panel.size());
        text += (text.empty() ? "" : "/") + readable_name(without_number(panel.substr(0, end)));
        panel.remove_prefix(std::min(end + 1, panel.size()));
    }
    return text;
}

}  // namespace

WidgetLog::WidgetLog() {
    ImGui::GetIO().UserData = this;
    ImGui::GetIO().ConfigInputTextCursorBlink = false;
}

WidgetLog::~WidgetLog() {
    ImGui::GetIO().UserData = nullptr;
    ImGui::GetIO().ConfigInputTextCursorBlink = true;
}

bool widgets_are_named() {
    return current_log() != nullptr;
}

void name_widget(std::string_view name, const Rect& rect) {
    WidgetLog* log = current_log();
    if (log == nullptr) return;
    const ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 low = draw.GetClipRectMin(), high = draw.GetClipRectMax();
    const float x = std::max(rect.x, low.x), y = std::max(rect.y, low.y);
    const Rect seen{x, y, std::min(rect.right(), high.x) - x, std::min(rect.bottom(), high.y) - y};
    if (seen.empty()) return;
    std::string whole = readable_panel(draw._OwnerName != nullptr ? draw._OwnerName : "");
    if (!name.empty()) whole += (whole.empty() ? "" : "/") + readable_name(name);
    log->places_.push_back({std::move(whole), seen});
}

void name_last_item(std::string_view name) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    name_widget(name, {low.x, low.y, high.x - low.x, high.y - low.y});
}

}  // namespace lanescope::ui
