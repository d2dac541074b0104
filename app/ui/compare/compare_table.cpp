#include "ui/compare/compare_table.h"

#include <algorithm>
#include <tuple>

#include "ui/compare/compare_mode.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

using session::ComparedFigure;

constexpr float row_px = 25, gap_px = 9, value_px = 92;

}  // namespace

void CompareTable::content(const Rect& inside, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float padding = view.px(theme().padding), height = view.px(row_px);
    if (shown_.table.empty()) {
        draw_text_centred(draw, fonts().text, inside, theme().text_faint,
                          "The other run has not finished yet.");
        return;
    }
    const float faster =
        shown_.faster.empty()
            ? 0
            : text_block_height(fonts().text, shown_.faster, inside.width - 2 * padding) + view.px(gap_px);
    float wanted = height * float(shown_.table.size() + 3) + 5 * view.px(gap_px) + faster;
    if (hovered(inside, view.window)) scroll_ -= ImGui::GetIO().MouseWheel * view.px(50);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, wanted - inside.height));
    draw_scroll_mark(inside, scroll_, wanted, view.window);
    Rect line{inside.x + padding, inside.y + view.px(4) - scroll_, inside.width - 2 * padding, height};
    const float value = view.px(value_px);
    for (const auto& [x, letter] :
         {std::pair{line.right() - 2 * value, "A"}, std::pair{line.right() - value, "B"}}) {
        const float width = text_width(fonts().strong, letter);
        draw_text(draw, fonts().strong, {x + value - width, centre_line(fonts().strong, line.y, height)},
                  theme().text_strong, letter);
    }
    line.y += height;
    for (std::size_t i = 0; i < shown_.table.size(); ++i) {
        if (i > 0 && shown_.table[i].group != shown_.table[i - 1].group) {
            const float y = line.y + view.px(gap_px) / 2;
            draw->AddLine({line.x, y}, {line.right(), y}, theme().line);
            line.y += view.px(gap_px);
        }
        row(line, shown_.table[i], view.window);
        line.y += height;
    }
    line.y += view.px(gap_px);
    if (!shown_.faster.empty())
        draw_text_block(draw, fonts().text, line.min(), theme().text_strong, shown_.faster, line.width);
    line.y += faster;
    legend(line, view.window);
    const session::MeasuredTime own = session::measured_time_of(*shown_.a);
    const auto timings = own.record ? own.timings : shown_.a->timings().shown();
    if (shown_.table.back().group != ComparedFigure::Group::time || !timings) return;
    line.y += height;
    draw->PushClipRect(inside.min(), inside.max(), true);
    const std::string origin = "times: " + timings->origin();
    draw->AddText(fonts().small, font_size(fonts().small), {line.x, line.y}, theme().text_quiet,
                  origin.c_str(), nullptr, line.width);
    draw->PopClipRect();
}

void CompareTable::row(const Rect& line, const ComparedFigure& difference, const WindowState& window) const {
    const float value = window.px(value_px);
    // A long name may extend into the part of A's column that its figure leaves free.
    const float figure = std::min(text_width(fonts().strong, difference.a) + window.px(24), value);
    const float room = line.width - value - figure - window.px(6);
    const bool cut = draw_text_within(
        ImGui::GetWindowDrawList(), fonts().text, {line.x, centre_line(fonts().text, line.y, line.height)},
        difference.same() ? theme().text_faint : theme().text, difference.name, room);
    if (cut && hovered(line, window)) tooltip(difference.name, window);
    cell({line.right() - 2 * value, line.y, value, line.height}, difference.a, difference,
         ComparedFigure::Better::a, window);
    cell({line.right() - value, line.y, value, line.height}, difference.b, difference,
         ComparedFigure::Better::b, window);
}

// Draws a figure at the right edge, after a triangle: up for the better, down for the worse figure.
void CompareTable::cell(const Rect& box, const std::string& text, const ComparedFigure& difference,
                        ComparedFigure::Better side, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool judged = difference.better != ComparedFigure::Better::neither,
               better = difference.better == side;
    ImFont* font = judged && better ? fonts().strong : fonts().text;
    const ImU32 colour = difference.same() ? theme().text_faint
                         : !judged         ? theme().text
                         : better          ? theme().good
                                           : legible(theme().write_edge, theme().panel);
    const float mark = judged ? window.px(14) : 0;
    const float width = std::min(text_width(font, text), box.width - mark - window.px(8));
    const float x = box.right() - width;
    if (difference.group == ComparedFigure::Group::estimate)
        draw_estimate(draw, font, {x, centre_line(font, box.y, box.height)}, colour, text, window);
    else
        draw_text_within(draw, font, {x, centre_line(font, box.y, box.height)}, colour, text, width + 1);
    if (judged)
        draw_triangle(draw, better ? Triangle::up : Triangle::down,
                      {x - window.px(9), box.y + box.height / 2}, window.px(8), colour);
}

void CompareTable::legend(const Rect& line, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    float x = line.x + window.px(4);
    if (!shown_.not_judged.empty()) {
        const std::string text = shown_.not_judged + ": the counts are not judged · grey: the same";
        const bool cut =
            draw_text_within(draw, fonts().small, {x, centre_line(fonts().small, line.y, line.height)},
                             legible(theme().barrier, theme().panel), text, line.right() - x);
        if (cut && hovered(line, window)) tooltip(text, window);
        return;
    }
    for (const auto& [shape, colour, word] : {std::tuple{Triangle::up, theme().good, "better"},
                                              std::tuple{Triangle::down, theme().write_edge, "worse"}}) {
        draw_triangle(draw, shape, {x, line.y + line.height / 2}, window.px(8), colour);
        draw_text(draw, fonts().small, {x + window.px(9), centre_line(fonts().small, line.y, line.height)},
                  theme().text_quiet, word);
        x += window.px(26) + text_width(fonts().small, word);
    }
    draw_text_within(draw, fonts().small, {x, centre_line(fonts().small, line.y, line.height)},
                     theme().text_quiet, "grey: the same", line.right() - x);
}

}  // namespace lanescope::ui
