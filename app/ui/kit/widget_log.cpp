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

}  // namespace

std::string panel_name(const ImDrawList& list) {
    std::string_view panel = list._OwnerName != nullptr ? list._OwnerName : "";
    std::string text;
    while (!panel.empty()) {
        const std::size_t end = std::min(panel.find('/'), panel.size());
        text += (text.empty() ? "" : "/") + readable_name(without_number(panel.substr(0, end)));
        panel.remove_prefix(std::min(end + 1, panel.size()));
    }
    return text;
}

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

void name_place(std::string_view name, NamedPlace place) {
    WidgetLog* log = current_log();
    if (log == nullptr) return;
    const ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 low = draw.GetClipRectMin(), high = draw.GetClipRectMax();
    const Rect& rect = place.whole;
    const float x = std::max(rect.x, low.x), y = std::max(rect.y, low.y);
    place.rect = {x, y, std::min(rect.right(), high.x) - x, std::min(rect.bottom(), high.y) - y};
    if (place.rect.empty()) return;
    place.name = panel_name(draw);
    if (!name.empty()) place.name += (place.name.empty() ? "" : "/") + readable_name(name);
    log->places_.push_back(std::move(place));
}

void name_widget(std::string_view name, const Rect& rect) {
    name_place(name, {{}, {}, rect});
}

void name_button(std::string_view name, const Rect& rect) {
    name_place(name, {{}, {}, rect, true});
}

void name_panel(const Rect& rect, ImU32 surface) {
    name_place({}, {{}, {}, rect, false, surface});
}

void name_last_item(std::string_view name) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    name_button(name, {low.x, low.y, high.x - low.x, high.y - low.y});
}

void name_cut_text(std::string_view text) {
    if (WidgetLog* log = current_log()) log->cut_.emplace(text);
}

void name_text(const Rect& rect, std::string_view text) {
    WidgetLog* log = current_log();
    if (log == nullptr) return;
    const ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 low = draw->GetClipRectMin(), high = draw->GetClipRectMax();
    constexpr float air_px = 1.5f;  // beside the ink of the outermost letters
    const bool in_sight = rect.right() > low.x && rect.x < high.x && rect.bottom() > low.y && rect.y < high.y;
    if (in_sight && (rect.x < low.x - air_px || rect.right() > high.x + air_px))
        log->cut_at_side_.emplace_back(draw, text);
}

void name_scrolling() {
    if (WidgetLog* log = current_log()) log->scrolling_.insert(ImGui::GetWindowDrawList());
}

TellInWords::TellInWords(std::function<std::string()> words)
    : words_(std::move(words)), list_(ImGui::GetWindowDrawList()), first_vertex_(list_->VtxBuffer.Size) {}

TellInWords::~TellInWords() {
    if (WidgetLog* log = current_log())
        log->told_.push_back({list_, first_vertex_, list_->VtxBuffer.Size, words_()});
}

}  // namespace lanescope::ui
