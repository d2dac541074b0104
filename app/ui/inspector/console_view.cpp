#include "ui/inspector/console_view.h"

#include <algorithm>
#include <cmath>

#include "base/language.h"
#include "ui/kit/widgets.h"
#include "ui/source/problem_marks.h"

namespace lanescope::ui {

namespace {

constexpr float console_row_px = 20, who_px = 92;

}  // namespace

void ConsolePanel::draw(const Rect& inside, const ViewContext& view) {
    const execution::RunResult* run = view.session.run();
    if (!run) return;
    const session::StepState* step_state = view.session.playhead().step_state();
    const std::uint64_t turns = !step_state                               ? ~0ull
                                : view.session.playhead().stands_before() ? step_state->step.first
                                                                          : step_state->step.end;
    const std::uint64_t told = view.session.playhead().results().revealed_until;
    if (generation_ != view.session.runner().generation() || told != told_) {
        generation_ = view.session.runner().generation();
        told_ = told;
        lines_ = console_lines(*run, told);
        shown_until_ = ~std::size_t{0};
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float pad = view.px(theme().padding), row = view.click_px(console_row_px);
    if (lines_.empty()) {
        draw_text_within(
            draw, fonts().text, {inside.x + pad, inside.y + view.px(9)}, theme().text_quiet,
            told == ~0ull ? tr("This run prints nothing.") : tr("Output appears when its step is revealed."),
            inside.width - 2 * pad);
        return;
    }
    const std::size_t until = lines_until(lines_, turns);
    const float height = view.px(16) + row * float(lines_.size());
    if (hovered(inside, view.window)) scroll_ -= ImGui::GetIO().MouseWheel * view.px(60);
    if (until != shown_until_) {  // keeps the last printed line in sight
        const float y = view.px(8) + row * float(until);
        if (y > scroll_ + inside.height || y < scroll_ + row) scroll_ = y - inside.height * 0.6f;
        shown_until_ = until;
    }
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - inside.height));
    draw_scroll_mark(inside, scroll_, height, view.window);
    const float top = inside.y + view.px(8) - scroll_;
    const bool many_blocks = view.session.playhead().step_state() &&
                             view.session.playhead().step_state()->launch &&
                             view.session.playhead().step_state()->launch->grid.count() > 1;
    const auto first = std::size_t(std::max(0.0f, std::floor((inside.y - top) / row)));
    const auto end = std::min(lines_.size(), std::size_t(std::max(0.0f, (inside.bottom() - top) / row)) + 1);
    for (std::size_t i = first; i < end; ++i)
        draw_line({inside.x, top + row * float(i), inside.width, row}, lines_[i], i >= until, many_blocks, i,
                  view.window, view.requests);
    if (until < lines_.size()) {
        const float y = std::round(top + row * float(until));
        draw->AddLine({inside.x + pad, y}, {inside.right() - pad, y}, theme().accent);
    }
}

void ConsolePanel::draw_line(const Rect& row, const ConsoleLine& line, bool later, bool many_blocks,
                             std::size_t number, const WindowState& window, Requests& requests) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool recorded = was_recorded(line.site);
    ImGui::PushID(int(number));
    const bool clicked = recorded && click_area("line", row, "line " + std::to_string(number + 1));
    const bool hot = recorded && !window.still && ImGui::IsItemHovered();
    ImGui::PopID();
    if (clicked) jump_to(line.site, requests);
    if (hot) draw->AddRectFilled(row.min(), row.max(), theme().panel_raised);
    const float pad = window.px(theme().padding), indent = window.px(who_px);
    draw_text_within(draw, fonts().small, {row.x + pad, centre_line(fonts().small, row.y, row.height)},
                     later ? theme().text_faint : theme().text_quiet, printer_words(line, many_blocks),
                     indent - window.px(6));
    const ImU32 colour = later ? theme().text_faint : line.failure ? theme().conflict : theme().text;
    const float x = row.x + pad + indent;
    const bool cut = draw_text_within(draw, fonts().mono, {x, centre_line(fonts().mono, row.y, row.height)},
                                      colour, line.text, row.right() - pad - x);
    if (hot) {
        const std::string text = (cut ? line.text + "\n" : std::string()) + print_story(line, many_blocks);
        tooltip(text + (later ? ", later than this step" : "") + "\nclick: go to this step", window);
    }
}

}  // namespace lanescope::ui
