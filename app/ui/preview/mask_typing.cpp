#include "ui/preview/mask_typing.h"

#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr double most = 1000;

MaskTyping::Outcome read(const char* text) {
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    while (*end == ' ')
        ++end;
    if (end == text || *end != 0)
        return {{}, "'" + std::string(text) + "' is not a number; type a value such as 0.25", false};
    if (!(std::abs(value) <= most)) return {{}, "a mask value must lie between -1000 and 1000", false};
    return {value, {}, false};
}

}  // namespace

void MaskTyping::begin(std::uint32_t row, std::uint32_t column, double value) {
    row_ = row;
    column_ = column;
    std::snprintf(text_.data(), text_.size(), "%.9g", value);
    first_ = text_;
    active_ = focus_wanted_ = true;
}

std::optional<MaskTyping::Outcome> MaskTyping::draw(const Rect& cell, const WindowState& window) {
    ImGui::SetCursorScreenPos(cell.min());
    ImGui::SetNextItemWidth(std::max(cell.width, window.px(64)));
    ImGui::PushFont(fonts().mono_small);
    ImGui::PushStyleVar(
        ImGuiStyleVar_FramePadding,
        ImVec2(window.px(4), std::max((cell.height - font_size(fonts().mono_small)) / 2, 0.0f)));
    const bool starts = std::exchange(focus_wanted_, false);
    if (starts) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputText("##typed", text_.data(), text_.size(),
                         ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue);
    name_last_item("value");
    const bool left = ImGui::IsItemDeactivated();
    const bool tabbed = !starts && key_pressed(ImGuiKey_Tab);  // would return to this input, the only one
    ImGui::PopStyleVar();
    ImGui::PopFont();
    if (!entered && !left && !tabbed) return {};
    active_ = false;
    if (key_pressed(ImGuiKey_Escape)) return Outcome{};
    // Unchanged text sets no value, so that the cell keeps all its digits.
    Outcome outcome = std::string_view(text_.data()) == first_.data() ? Outcome{} : read(text_.data());
    outcome.next = outcome.problem.empty() && tabbed;
    return outcome;
}

}  // namespace lanescope::ui
