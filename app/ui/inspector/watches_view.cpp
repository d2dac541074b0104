#include "ui/inspector/watches_view.h"
#include "base/language.h"
#include "session/lane_explanation.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "scene/warps/warps_layout.h"
#include "scene/words/cell_text.h"
#include "ui/actions/table.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr float watch_row_px = 22, value_px = 19, button_px = 20;
constexpr const char* example = tr_later("watch in every lane: t % 2 == 0");

}  // namespace

void WatchesPanel::prepare(const session::Session& session) {
    const session::StepState& step_state = *session.playhead().step_state();
    const bool same = session.runner().generation() == generation_ && step_state.step.first == first_turn_ &&
                      step_state.step.end == end_turn_ && step_state.instruction == instruction_ &&
                      session.selection().warp == warp_ && session.marks().watches() == texts_ &&
                      session.playhead().results().concealed == concealed_ &&
                      session.playhead().stands_before() == before_;
    if (same) return;
    concealed_ = session.playhead().results().concealed;
    before_ = session.playhead().stands_before();
    generation_ = session.runner().generation();
    first_turn_ = step_state.step.first;
    end_turn_ = step_state.step.end;
    instruction_ = step_state.instruction;
    warp_ = session.selection().warp;
    texts_ = session.marks().watches();
    rows_.clear();
    for (const std::string& text : texts_)
        rows_.push_back(watch_row(session, text, warp_));
}

float WatchesPanel::draw(const Rect& inside, float y, const ViewContext& view) {
    prepare(view.session);
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (i != edited_) y = draw_watch(inside, y, i, view);
    y = draw_input(inside, y, view) + view.px(6);
    return draw_stops(inside, y, view);
}

// Lists the cells whose writes stop a run; those of lines have a tag on their line.
float WatchesPanel::draw_stops(const Rect& inside, float y, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float pad = view.px(theme().padding), height = view.click_px(watch_row_px),
                button = view.click_px(button_px);
    for (const session::Breakpoint& each : view.session.marks().breakpoints()) {
        if (each.cell.empty()) continue;
        const Rect area{inside.x, y, inside.width - pad - button, height};
        const Rect remove{inside.right() - pad - button, y, button, height};
        ImGui::PushID(each.cell.c_str());
        const bool toggled = click_area("stop", area, "stop at " + each.cell);
        if (!view.window.still && ImGui::IsItemHovered())
            tooltip(
                with_keys("{breakpoint.next} and {breakpoint.previous} stop there\nclick: turn it off or on"),
                view.window);
        const bool removed = click_area("remove stop", remove, "remove stop at " + each.cell);
        const bool hot = !view.window.still && ImGui::IsItemHovered();
        ImGui::PopID();
        if (toggled) {
            session::Breakpoint changed = each;
            changed.enabled = !changed.enabled;
            view.requests.commands.push_back(session::SetBreakpoint{changed});
        }
        if (removed) view.requests.commands.push_back(session::ToggleCellBreakpoint{each.cell});
        const ImVec2 centre{inside.x + pad + view.px(5), y + height / 2};
        if (each.enabled)
            draw->AddCircleFilled(centre, view.px(4), theme().active_edge);
        else
            draw->AddCircle(centre, view.px(4), theme().active_edge);
        draw_text_within(draw, fonts().text,
                         {inside.x + pad + view.px(16), centre_line(fonts().text, y, height)},
                         each.enabled ? theme().text : theme().text_faint,
                         "stops at each write of " + each.cell, area.width - pad - view.px(20));
        draw_text_centred(draw, fonts().text, remove, hot ? theme().text_strong : theme().text_faint, "×");
        y += height;
    }
    return y;
}

float WatchesPanel::draw_watch(const Rect& inside, float y, std::size_t number, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const WatchRow& row = rows_[number];
    const float pad = view.px(theme().padding), height = view.click_px(watch_row_px),
                button = view.click_px(button_px);
    const Rect area{inside.x, y, inside.width - pad - 2 * button, height};
    ImGui::PushID(int(number));
    const bool chosen = click_area("watch", area, row.text);
    const bool hot = !view.window.still && ImGui::IsItemHovered();
    if (hot && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        edited_ = number;
        std::memset(typed_, 0, sizeof typed_);
        row.text.copy(typed_, sizeof typed_ - 1);
        view.requests.set(&WindowState::signals, &FrameSignals::add_watch, true);
    }
    const Rect colour{inside.right() - pad - 2 * button, y, button, height};
    const Rect remove{inside.right() - pad - button, y, button, height};
    const bool coloured = view.window.lane_colour == row.text;
    if (click_area("colour", colour, "colour by " + row.text))
        view.requests.set(&WindowState::lane_colour, coloured ? std::string() : row.text);
    if (!view.window.still && ImGui::IsItemHovered())
        tooltip("colour the lanes of the warps below the stage by this value", view.window);
    const bool removed = click_area("remove", remove, "remove " + row.text);
    const bool hot_remove = !view.window.still && ImGui::IsItemHovered();
    if (hot_remove) tooltip(tr("remove this watch"), view.window);
    ImGui::PopID();
    const bool labelled = view.session.selection().label_variable == row.text;
    if (chosen && row.problems.empty()) view.requests.commands.push_back(session::LabelVariable{row.text});
    if (removed) {
        std::vector<std::string> kept = view.session.marks().watches();
        if (number < kept.size()) kept.erase(kept.begin() + std::ptrdiff_t(number));
        if (coloured) view.requests.set(&WindowState::lane_colour, std::string());
        view.requests.commands.push_back(session::SetWatches{kept});
    }
    if (hot || labelled)
        draw->AddRectFilled({inside.x, y}, {inside.right(), y + height},
                            labelled ? theme().selected : theme().panel_raised);
    const float x = inside.x + pad, text_y = centre_line(fonts().mono, y, height);
    draw_text_within(draw, fonts().mono, {x, text_y}, theme().text, row.text, area.width - pad - view.px(6));
    draw->AddCircleFilled({colour.x + button / 2, y + height / 2}, view.px(4),
                          coloured ? theme().accent : theme().line);
    draw_text_centred(draw, fonts().text, remove, hot_remove ? theme().text_strong : theme().text_faint, "×");
    if (hot) tooltip("click: show it in every lane of the warps\ndouble-click: edit it", view.window);
    y += height;
    return row.problems.empty() ? draw_values(inside, y, row, view)
                                : draw_problem(inside, y, row, view.window);
}

// Draws the lanes in rows of 32, 16 or 8. Lanes that ran in the step are blue; the pinned lane has a bright
// edge.
float WatchesPanel::draw_values(const Rect& inside, float y, const WatchRow& row,
                                const ViewContext& view) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const session::StepState& step_state = *view.session.playhead().step_state();
    if (warp_ >= step_state.warps.size()) return y;
    const float pad = view.px(theme().padding), width = inside.width - 2 * pad;
    ImFont* font = fonts().mono_small;
    const LaneRows rows = lane_rows(width, row.widest, text_width(font, "0"));
    const int lanes = rows.lanes;
    const float pitch = rows.pitch_px, height = view.px(value_px);
    ChangeForms forms;
    for (const session::LaneValue& value : row.values)
        if (!value.before.empty()) forms.add(font, {0, 0, pitch - 2, height - 1}, value.before, value.text);
    for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane) {
        const trace::LaneInfo& info = step_state.warps[warp_][lane];
        if (info.status == trace::LaneStatus::absent) continue;
        const session::LaneValue& value = row.values[lane];
        const Rect box{inside.x + pad + pitch * float(int(lane) % lanes),
                       y + (height + 1) * float(int(lane) / lanes), pitch - 2, height - 1};
        const bool active = info.status == trace::LaneStatus::active,
                   pinned = lane == view.session.selection().lane;
        draw_cell_box(draw, box, active ? theme().active : theme().off,
                      pinned   ? theme().text_strong
                      : active ? theme().active_edge
                               : theme().off_edge,
                      pinned ? 2.0f : 1.0f, view.px(2));
        const std::string text = value.set               ? shorten(value.text, value.number, rows.characters)
                                 : value.failure.empty() ? "–"
                                                         : "!";
        const bool both = !value.before.empty() && forms.best() != ChangeForm::after;
        if (both)
            draw_change(draw, font, box, value.before, value.text, theme().text, theme().text_strong,
                        forms.best());
        else
            draw_text_centred(draw, font, box,
                              !value.failure.empty() ? theme().conflict
                              : active               ? theme().text_strong
                                                     : theme().text_quiet,
                              text);
        if (value.changed && !both)
            draw->AddCircleFilled({box.right() - view.px(3), box.y + view.px(3)}, view.px(1.8f),
                                  theme().write_edge);
        if (!hovered(box, view.window)) continue;
        const std::string who = "t" + std::to_string(warp_ * trace::warp_size + lane) + ": ";
        const std::string earlier = value.before.empty() ? std::string() : value.before + " → ";
        const std::string what = value.set                ? row.text + " = " + earlier + value.text
                                 : !value.failure.empty() ? value.failure
                                 : value.visible          ? "not set"
                                                          : tr("not in scope where this lane is");
        tooltip(who + what + "\n" + session::lane_explanation(view.session, warp_, lane), view.window);
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
            view.requests.commands.push_back(session::PinLane{warp_, lane});
    }
    y += (height + 1) * float(int(trace::warp_size) / lanes);
    const auto failed = std::find_if(row.values.begin(), row.values.end(),
                                     [](const session::LaneValue& value) { return !value.failure.empty(); });
    if (failed == row.values.end()) return y + view.px(4);
    const auto thread = warp_ * trace::warp_size + std::uint32_t(failed - row.values.begin());
    draw_text_within(draw, fonts().small, {inside.x + pad, y}, theme().conflict,
                     "! t" + std::to_string(thread) + ": " + failed->failure, width);
    return y + font_size(fonts().small) + view.px(4);
}

// Draws a red bar under the mistake, and the message below it.
float WatchesPanel::draw_problem(const Rect& inside, float y, const WatchRow& row,
                                 const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Diagnostic& problem = row.problems.front();
    const float x = inside.x + window.px(theme().padding),
                width = inside.width - 2 * window.px(theme().padding);
    const float advance = text_width(fonts().mono, "0");
    const float at = x + advance * float(std::max(problem.column - 1, 0));
    draw->AddRectFilled({at, y - window.px(3)}, {at + advance, y - window.px(1)}, theme().conflict);
    draw_text_within(draw, fonts().small, {x, y}, theme().conflict,
                     "column " + std::to_string(problem.column) + ": " + problem.message, width);
    return y + window.px(watch_row_px - 2);
}

float WatchesPanel::draw_input(const Rect& inside, float y, const ViewContext& view) {
    const float pad = view.px(theme().padding), height = view.px(26);
    const Rect box{inside.x + pad, y + view.px(2), inside.width - 2 * pad, height};
    if (view.window.still) {  // headless pictures have no text widget
        ImDrawList* draw = ImGui::GetWindowDrawList();
        draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, view.px(theme().rounding));
        draw_text_within(draw, fonts().text,
                         {box.x + view.px(8), centre_line(fonts().text, box.y, box.height)},
                         theme().text_faint, example, box.width - view.px(16));
        return box.bottom();
    }
    ImGui::SetCursorScreenPos(box.min());
    ImGui::SetNextItemWidth(box.width);
    if (view.window.signals.add_watch) ImGui::SetKeyboardFocusHere();
    const bool entered = ImGui::InputTextWithHint("##watch", example, typed_, sizeof typed_,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    name_last_item("watch");
    if (!entered && ImGui::IsItemDeactivated()) edited_ = ~std::size_t{0};  // Esc, or a click elsewhere
    if (!entered) return box.bottom();
    std::vector<std::string> watches = view.session.marks().watches();
    const std::string text = typed_;
    if (edited_ < watches.size() && !text.empty())
        watches[edited_] = text;
    else if (edited_ < watches.size())
        watches.erase(watches.begin() + std::ptrdiff_t(edited_));
    else if (!text.empty() && std::find(watches.begin(), watches.end(), text) == watches.end())
        watches.push_back(text);
    view.requests.commands.push_back(session::SetWatches{watches});
    std::memset(typed_, 0, sizeof typed_);
    edited_ = ~std::size_t{0};
    return box.bottom();
}

}  // namespace lanescope::ui
