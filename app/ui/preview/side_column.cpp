#include "ui/preview/side_column.h"

#include "ui/kit/widgets.h"

namespace lanescope::ui {

void draw_name(const Rect& line, const std::string& text) {
    draw_text(ImGui::GetWindowDrawList(), fonts().text,
              ImVec2(line.x, centre_line(fonts().text, line.y, line.height)), theme().text, text);
}

void draw_right(ImFont* font, const Rect& line, float right, ImU32 colour, const std::string& text) {
    draw_text(ImGui::GetWindowDrawList(), font,
              ImVec2(right - text_width(font, text), centre_line(font, line.y, line.height)), colour, text);
}

void SideColumn::skip(float px) {
    left_.y += px;
}

Rect SideColumn::section(const std::string& title) {
    const Rect head = row(27);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw_text(draw, fonts().heading, ImVec2(head.x, centre_line(fonts().heading, head.y, head.height)),
              theme().heading, in_capitals(title));
    draw->AddLine(ImVec2(left_.x, head.bottom()), ImVec2(left_.right(), head.bottom()), theme().line);
    skip(window_.px(3));
    return head;
}

Rect SideColumn::row(float height) {
    const float pad = window_.px(theme().padding);
    const Rect made{left_.x + pad, left_.y, left_.width - 2 * pad, window_.px(height)};
    left_.y += made.height;
    left_.height -= made.height;
    return made;
}

void SideColumn::fact(const std::string& name, const std::string& value) {
    const Rect line = row(22);
    draw_name(line, name);
    draw_right(fonts().mono, line, line.right(), theme().text, value);
}

bool SideColumn::link(const char* id, const std::string& text, float right, const Rect& line) const {
    const float width = text_width(fonts().text, text);
    const Rect box{right - width, line.y, width, line.height};
    const bool clicked = click_area(id, box);
    const bool hot = !window_.still && ImGui::IsItemHovered();
    draw_right(fonts().text, line, right, hot ? theme().text_strong : theme().accent, text);
    return clicked;
}

float SideColumn::small_lines(const std::vector<std::string>& lines, const Rect& box) const {
    float y = box.y + window_.px(4);
    for (const std::string& line : lines) {
        draw_text_within(ImGui::GetWindowDrawList(), fonts().small, ImVec2(box.x, y), theme().text, line,
                         box.width);
        y += window_.px(18);
    }
    return y;
}

}  // namespace lanescope::ui
