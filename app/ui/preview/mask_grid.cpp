#include "ui/preview/mask_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

void draw_cell(const Rect& box, double value, double largest, const WindowState& window) {
    const auto share = static_cast<float>(std::abs(value) / largest);
    const ImU32 fill =
        blend(theme().cell, value < 0 ? theme().write_edge : theme().active_edge, 0.75f * share);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(box.min(), box.max(), fill, window.px(2));
    draw->AddRect(box.min(), box.max(), theme().cell_edge, window.px(2));
    const std::string text = mask_number(value, 3);
    ImFont* const font =
        text_width(fonts().mono_small, text) <= box.width - 4 ? fonts().mono_small : fonts().mono_tiny;
    if (text_width(font, text) <= box.width && font_size(font) <= box.height)
        draw_text_centred(draw, font, box, legible(theme().text_strong, fill), text);
}

std::string cell_name(std::uint32_t row, std::uint32_t column) {
    return "cell " + std::to_string(row) + "," + std::to_string(column);
}

}  // namespace

std::string mask_number(double value, int digits) {
    char text[32];
    const bool whole = value == std::round(value) && std::abs(value) < 1000;
    std::snprintf(text, sizeof text, "%.*f", whole ? 0 : digits, value);
    return text;
}

void MaskGrid::draw(SideColumn& column) {
    const preview::Mask mask = model_.filter().mask();  // a copy: an edit replaces the mask during drawing
    if (typing_.row() >= mask.rows || typing_.column() >= mask.columns || !model_.filter().can_edit())
        typing_.end();
    const WindowState& window = column.window();
    const Rect box = column.row(140);
    const float width = std::min(box.width / static_cast<float>(mask.columns), window.px(62));
    const float height = std::min(box.height / static_cast<float>(mask.rows), window.px(30));
    double largest = 1e-12;
    for (const double value : mask.values)
        largest = std::max(largest, std::abs(value));
    for (std::uint32_t r = 0; r < mask.rows; ++r)
        for (std::uint32_t c = 0; c < mask.columns; ++c) {
            ImGui::PushID(static_cast<int>(r * mask.columns + c));
            cell(r, c,
                 {box.x + width * static_cast<float>(c), box.y + height * static_cast<float>(r), width - 2,
                  height - 2},
                 largest, window);
            ImGui::PopID();
        }
    column.skip(box.y + height * static_cast<float>(mask.rows) + window.px(4) - column.left().y);
}

void MaskGrid::set(std::uint32_t r, std::uint32_t c, double value) {
    model_.edit_filter([&](preview::FilterChoice& filter) { filter.set_cell(r, c, value, symmetric_); });
}

void MaskGrid::type(std::uint32_t r, std::uint32_t c, const Rect& box, const WindowState& window) {
    const std::optional<MaskTyping::Outcome> outcome = typing_.draw(box, window);
    if (!outcome) return;
    if (!outcome->problem.empty()) model_.tell(outcome->problem);
    if (outcome->value && *outcome->value != model_.filter().mask().at(r, c)) set(r, c, *outcome->value);
    if (!outcome->next) return;
    const preview::Mask& mask = model_.filter().mask();
    const std::uint32_t next = (r * mask.columns + c + 1) % (mask.rows * mask.columns);
    const std::uint32_t row = next / mask.columns, column = next % mask.columns;
    typing_.begin(row, column, mask.at(row, column));
}

// A click opens an input for the value. A drag upwards increases the value, a drag downwards decreases it.
void MaskGrid::take_mouse(std::uint32_t r, std::uint32_t c, double largest, const WindowState& window) {
    const double value = model_.filter().mask().at(r, c);
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
        if (!ImGui::IsItemActive())
            tooltip("mask value",
                    "click: type a value; Tab goes to the next one\ndrag: up for more, down for less",
                    window);
    }
    if (ImGui::IsItemActivated()) dragged_ = false;
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, 2)) {
        dragged_ = true;
        const double moved = static_cast<double>(-ImGui::GetIO().MouseDelta.y);
        const double to = std::clamp(value + moved * 0.01 * std::max(largest, 0.05), -1000.0, 1000.0);
        if (moved != 0) set(r, c, to);
    }
    if (ImGui::IsItemDeactivated() && ImGui::IsItemHovered() && !dragged_) typing_.begin(r, c, value);
}

void MaskGrid::cell(std::uint32_t r, std::uint32_t c, const Rect& box, double largest,
                    const WindowState& window) {
    const preview::Mask& mask = model_.filter().mask();
    if (r >= mask.rows || c >= mask.columns) return;
    const double value = mask.at(r, c);
    const bool editable = model_.filter().can_edit() && !window.still;
    if (editable && typing_.at(r, c)) return type(r, c, box, window);
    click_area("cell", box, widgets_are_named() ? cell_name(r, c) : std::string());
    if (editable) take_mouse(r, c, largest, window);
    draw_cell(box, value, largest, window);
}

}  // namespace lanescope::ui
