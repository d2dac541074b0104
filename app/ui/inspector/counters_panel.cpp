#include "ui/inspector/counters_panel.h"

#include <algorithm>

#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr float row_px = 18, gap_px = 14;

}  // namespace

void CountersPanel::prepare(const session::Session& session) {
    const session::LessonTimings& all = session.timings();
    const bool same_sources = measured_ == all.measured() && counters_ == all.recorded_counters() &&
                              generation_ == session.runner().generation();
    const auto& state = session.playhead().step_state();
    const std::uint32_t launch = state ? state->step.launch : 0;
    if (same_sources && launch == launch_) return;
    if (!same_sources) {
        measured_ = all.measured();
        counters_ = all.recorded_counters();
        generation_ = session.runner().generation();
        found_ = scene::counters_of_run(session);
        scroll_ = 0;
    }
    launch_ = launch;
    table_ = scene::counter_table(found_, launch);
}

bool CountersPanel::has_figures(const session::Session& session) {
    prepare(session);
    return found_.record != nullptr;
}

void CountersPanel::draw(const Rect& inside, const ViewContext& view) {
    prepare(view.session);
    const float pad = view.px(theme().padding);
    Rect row{inside.x + pad, inside.y + view.px(6) - scroll_, inside.width - 2 * pad, 0};
    row.y += draw_head(row, view.window, view.requests);
    row.y += draw_lines(row, inside.bottom(), view.window);
    const float height = row.y + scroll_ - inside.y + view.px(4);
    if (hovered(inside, view.window)) scroll_ -= ImGui::GetIO().MouseWheel * view.px(40);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - inside.height));
    draw_scroll_mark(inside, scroll_, height, view.window);
}

// Draws the way back to the step, and where the figures come from.
float CountersPanel::draw_head(Rect row, const WindowState& window, Requests& requests) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float top = row.y, height = chip_height(window);
    if (chip("counters", {row.x, row.y}, "This step", window))
        requests.set(&WindowState::inspector, &InspectorState::counters, false);
    const float beside = row.x + chip_width("This step", window) + window.px(10);
    const std::string words = table_.absent.empty() ? table_.summary : "";
    draw_text_within(draw, fonts().text, {beside, centre_line(fonts().text, row.y, height)}, theme().text,
                     words, row.right() - beside);
    row.y += height + window.px(4);
    for (const std::string* each : {&table_.origin, &table_.launch})
        if (!each->empty()) row.y += draw_text_block(fonts().small, row, theme().text_quiet, *each);
    for (const std::string* each : {&table_.differs, &table_.uncounted, &table_.absent})
        if (!each->empty()) row.y += draw_text_block(fonts().text, row, theme().text_strong, *each);
    return row.y - top;
}

// Draws a row for each figure. Below a difference stands its reason. A row that the panel's edge at `bottom`
// would cut is left out until it is scrolled to.
float CountersPanel::draw_lines(Rect row, float bottom, const WindowState& window) const {
    if (table_.lines.empty()) return 0;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float top = row.y, height = window.px(row_px), gap = window.px(gap_px);
    const std::string heads[] = {"counted", "measured"};
    float counted = text_width(fonts().small, heads[0]), measured = text_width(fonts().small, heads[1]);
    for (const scene::CounterLine& line : table_.lines) {
        counted = std::max(counted, text_width(fonts().mono, line.counted));
        measured = std::max(measured, text_width(fonts().mono, line.measured));
    }
    const float counted_right = row.right() - measured - gap;
    const auto at_right = [&](ImFont* font, float right, ImU32 colour, const std::string& text) {
        draw_text(draw, font, {right - text_width(font, text), centre_line(font, row.y, height)}, colour,
                  text);
    };
    at_right(fonts().small, counted_right, theme().text_quiet, heads[0]);
    at_right(fonts().small, row.right(), theme().text_quiet, heads[1]);
    row.y += height;
    for (const scene::CounterLine& line : table_.lines) {
        const ImU32 colour = line.flagged          ? theme().conflict
                             : line.remark.empty() ? theme().text
                                                   : theme().text_strong;
        const float indent = window.px(10);
        const Rect below{row.x + indent, row.y + height - window.px(2), row.width - indent, 0};
        const float remark =
            line.remark.empty() ? 0 : text_block_height(fonts().small, line.remark, below.width);
        const bool cut = row.y + height + remark > bottom;
        if (!cut) {
            draw_text_within(draw, fonts().text, {row.x, centre_line(fonts().text, row.y, height)},
                             theme().text, line.name, counted_right - counted - gap - row.x);
            at_right(fonts().mono, counted_right, colour, line.counted);
            at_right(fonts().mono, row.right(), colour, line.measured);
        }
        row.y += height + remark;
        if (line.remark.empty() || cut) continue;
        draw_text_block(fonts().small, below, line.flagged ? theme().conflict : theme().text_quiet,
                        (line.flagged ? "! " : "") + line.remark);
    }
    return row.y - top;
}

}  // namespace lanescope::ui
