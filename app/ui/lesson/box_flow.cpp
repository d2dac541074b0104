#include "ui/lesson/box_flow.h"

#include <algorithm>

#include "ui/kit/text_block.h"

namespace lanescope::ui {

void BoxFlow::markdown(const std::vector<Paragraph>& paragraphs, std::string* clicked) {
    y_ += lay_out_markdown(draw_, paragraphs, {left(), y_}, right() - left(), window_, clicked);
}

void BoxFlow::text(ImFont* font, ImU32 colour, const std::string& text) {
    const float width = right() - left();
    y_ += draw_ ? draw_text_block(draw_, font, {left(), y_}, colour, text, width)
                : text_block_height(font, text, width);
}

void BoxFlow::mark(const char* sign, ImU32 colour, float mark_px) {
    if (!draw_) return;
    const Rect box{left() - mark_px, y_, mark_px, window_.px(20)};
    draw_text(draw_, fonts().strong, {box.x, centre_line(fonts().strong, box.y, box.height)}, colour, sign);
}

Rect BoxFlow::place(float width) {
    const float height = chip_height(window_), gap = window_.px(8);
    if (in_row_ && left() + row_x_ + width > right()) {
        y_ += height + window_.px(6);
        row_x_ = 0;
    }
    in_row_ = true;
    const Rect box{left() + row_x_, y_, width, height};
    row_x_ += width + gap;
    return box;
}

bool BoxFlow::chip(const std::string& label, const std::string& name, ImU32 colour) {
    const Rect box = place(chip_width(label, window_));
    return draw_ && ui::chip(name.c_str(), box.min(), label, window_, {.text = colour, .name = name});
}

void BoxFlow::words(const std::string& text, ImU32 colour) {
    const Rect box = place(text_width(fonts().text, text));
    if (draw_)
        draw_text_within(draw_, fonts().text, {box.x, centre_line(fonts().text, box.y, box.height)}, colour,
                         text, right() - box.x);
}

void BoxFlow::end_row() {
    if (in_row_) y_ += chip_height(window_);
    in_row_ = false;
    row_x_ = 0;
}

void BoxFlow::bring_into_sight(float top) const {
    if (!draw_) return;
    const float above = ImGui::GetWindowPos().y, below = above + ImGui::GetWindowHeight();
    const float missing = y_ + window_.px(8) - below;
    if (missing > 0) ImGui::SetScrollY(ImGui::GetScrollY() + std::max(0.f, std::min(missing, top - above)));
}

}  // namespace lanescope::ui
