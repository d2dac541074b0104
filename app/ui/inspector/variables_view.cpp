#include "ui/inspector/variables_view.h"

#include <algorithm>
#include <cmath>

#include "base/language.h"
#include "ui/kit/widgets.h"
#include "ui/stage/stage_draw.h"

namespace lanescope::ui {

namespace {

// Shares of the panel's width.
constexpr float value_at = 0.33f, lanes_at = 0.62f;

// Draws 32 thin columns whose heights are the values; the pinned lane is bright.
void draw_lane_strip(const Rect& box, const VariableRow& row, std::uint32_t pinned,
                     const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float pitch = std::floor(box.width / trace::warp_size * 2) / 2;
    const float lowest = window.px(3);
    for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane) {
        const float x = box.x + static_cast<float>(lane) * pitch;
        if (row.shares[lane] < 0) {
            draw->AddRectFilled({x, box.bottom() - 1}, {x + pitch - 1, box.bottom()}, theme().line);
            continue;
        }
        const float height = lowest + (box.height - lowest) * row.shares[lane];
        const ImU32 colour =
            lane == pinned ? theme().active_edge : blend(theme().off_edge, theme().text_quiet, 0.45f);
        draw->AddRectFilled({x, box.bottom() - height}, {x + pitch - 1, box.bottom()}, colour);
    }
}

// Hides the values that the step changed, in this lane and in the others.
void hide_changed(std::vector<VariableFrame>& frames) {
    for (VariableFrame& frame : frames)
        for (VariableRow& row : frame.rows) {
            if (!row.changed) continue;
            row.value = "?";
            row.summary = tr("→ or R reveals it");
            row.shares.fill(-1);
        }
}

}  // namespace

void VariablesPanel::prepare(const session::Session& session) {
    const session::StepState& step_state = *session.playhead().step_state();
    const session::Selection& selection = session.selection();
    if (session.runner().generation() == generation_ && step_state.step.first == first_turn_ &&
        step_state.step.end == end_turn_ && selection.warp == warp_ && selection.lane == lane_ &&
        session.playhead().results().concealed == concealed_ && session.playhead().stands_before() == before_)
        return;
    concealed_ = session.playhead().results().concealed;
    before_ = session.playhead().stands_before();
    generation_ = session.runner().generation();
    first_turn_ = step_state.step.first;
    end_turn_ = step_state.step.end;
    warp_ = selection.warp;
    lane_ = selection.lane;
    frames_ = variable_frames(*session.trace(), *session.playhead().replay(), step_state, warp_, lane_);
    if (concealed_) hide_changed(frames_);
    thread_.clear();
    if (warp_ < step_state.warps.size() && step_state.launch)
        thread_ = thread_words(step_state.launch->block, warp_ * trace::warp_size + lane_,
                               step_state.warps[warp_][lane_]);
}

void VariablesPanel::draw(const Rect& inside, const ViewContext& view) {
    if (!view.session.playhead().step_state() || !view.session.trace() || !view.session.playhead().replay()) {
        generation_ = ~0ull;
        return;
    }
    prepare(view.session);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = inside.x + view.px(theme().padding), width = inside.width - view.px(2 * theme().padding);
    if (view.window.signals.add_watch) scroll_ = 0;
    float y = watches_.draw(inside, inside.y + view.px(6) - scroll_, view);
    draw_text_within(draw, fonts().strong, {x, y}, theme().text_strong, thread_, width);
    y += view.px(24);
    if (frames_.empty()) {
        draw_text_within(draw, fonts().text, {x, y}, theme().text_quiet, tr("This thread has not run yet."),
                         width);
        y += view.px(22);
    }
    int id = 0;
    for (const VariableFrame& frame : frames_) {
        draw_text_within(draw, fonts().small, {x, y + view.px(4)}, theme().text_quiet, "in " + frame.function,
                         width * value_at);
        draw_text(draw, fonts().small, {x + width * value_at, y + view.px(4)}, theme().text_quiet, "value");
        draw_text(draw, fonts().small, {x + width * lanes_at, y + view.px(4)}, theme().text_quiet,
                  tr("in the 32 lanes"));
        y += view.px(21);
        for (const VariableRow& row : frame.rows)
            y = draw_row(inside, y, row, view, id++);
        y += view.px(6);
    }
    if (hovered(inside, view.window)) scroll_ -= ImGui::GetIO().MouseWheel * view.px(40);
    const float height = y + scroll_ - inside.y;
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - inside.height));
    draw_scroll_mark(inside, scroll_, height, view.window);
}

float VariablesPanel::draw_row(const Rect& inside, float y, const VariableRow& row, const ViewContext& view,
                               int id) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float x = inside.x + view.px(theme().padding), width = inside.width - view.px(2 * theme().padding);
    const float height = view.px(25), gap = view.px(8);
    const Rect area{inside.x, y, inside.width, height};
    ImGui::PushID(id);
    if (click_area("variable", area, row.name))
        view.requests.commands.push_back(session::LabelVariable{row.name});
    const bool hot = !view.window.still && ImGui::IsItemHovered();
    ImGui::PopID();
    const bool labelled = view.session.selection().label_variable == row.name;
    if (hot || labelled)
        draw->AddRectFilled(area.min(), area.max(), labelled ? theme().selected : theme().panel_raised);
    if (row.changed)
        draw->AddCircleFilled({x - view.px(5), y + height / 2}, view.px(2.5f), theme().write_edge);
    const float text_y = centre_line(fonts().mono, y, height);
    draw_text_within(draw, fonts().mono, {x, text_y}, theme().text, row.name, width * value_at - gap);
    if (row.value.empty()) {
        draw_text_within(draw, fonts().text, {x + width * value_at, centre_line(fonts().text, y, height)},
                         theme().text_faint, tr("not set"), width * (lanes_at - value_at) - gap);
    } else {
        draw_text_within(draw, fonts().mono, {x + width * value_at, text_y},
                         row.changed ? theme().write_edge : theme().text_strong, row.value,
                         width * (lanes_at - value_at) - gap);
    }
    const float strip_x = x + width * lanes_at, strip = width * (1 - lanes_at);
    if (row.summary.starts_with("same") || row.value == "?" || row.summary.empty()) {
        draw_text_within(draw, fonts().small, {strip_x, centre_line(fonts().small, y, height)},
                         theme().text_faint, row.summary, strip);
    } else {
        draw_lane_strip({strip_x, y + view.px(5), strip, height - view.px(10)}, row,
                        view.session.selection().lane, view.window);
    }
    if (hot) {
        std::string text = row.type + " " + row.name + (row.value.empty() ? ": not set" : " = " + row.value);
        if (!row.summary.empty()) text += "\nlanes: " + row.summary;
        tooltip(text + "\nclick: show it in every lane", view.window);
    }
    return y + height;
}

}  // namespace lanescope::ui
