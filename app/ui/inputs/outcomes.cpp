#include "ui/inputs/outcomes.h"

#include <algorithm>

#include "base/language.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float outcome_row_step = 26;
constexpr std::size_t max_rows = 8;

std::size_t shown_rows(const execution::Exploration& exploration) {
    return std::min(exploration.outcomes.size(), max_rows);
}

bool is_shown(const session::Session& session, const execution::Outcome& outcome) {
    return simt::to_text(session.document().settings().schedule) == simt::to_text(outcome.schedule);
}

std::string tooltip_of(const execution::Exploration& exploration, const execution::Outcome& outcome) {
    std::string text =
        execution::summary(exploration, outcome) + "\n" + execution::count_text(exploration, outcome);
    for (const lesson::ExpectOutcome& each : outcome.expectations)
        text += each.ok ? "\nas expected: " + each.buffer : "\nNOT as expected: " + each.mismatch;
    for (const trace::Problem& problem : outcome.problems)
        text += "\n" + problem.message;
    std::string schedule = simt::to_text(outcome.schedule);
    if (constexpr std::size_t most = 200; schedule.size() > most) schedule = schedule.substr(0, most) + "…";
    return text + "\nclick: run this schedule: " + schedule;
}

void draw_busy(Rect row, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw_text(draw, fonts().text, {row.x, centre_line(fonts().text, row.y, row.height)}, theme().text_quiet,
              "trying");
    const float left = row.x + view.px(48), right = row.right() - view.px(58);
    const Rect bar{left, row.y + row.height / 2 - view.px(3), std::max(right - left, 0.0f), view.px(6)};
    const float share = std::clamp(view.session.explorer().progress(), 0.0f, 1.0f);
    draw->AddRectFilled(bar.min(), bar.max(), theme().line, view.px(3));
    draw->AddRectFilled(bar.min(), {bar.x + bar.width * share, bar.bottom()}, theme().active_edge,
                        view.px(3));
    if (right_word("cancel exploring", row, tr("Cancel"), view.window))
        view.requests.commands.push_back(session::CancelExploration{});
}

void draw_row(const Rect& row, const session::Session& session, const execution::Outcome& outcome, int number,
              const WindowState& window, Requests& requests) {
    const execution::Exploration& exploration = *session.explorer().found();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    ImGui::PushID(number);
    const bool chosen = is_shown(session, outcome);
    if (click_area("outcome", row, "outcome " + std::to_string(number + 1)) && !chosen)
        requests.commands.push_back(session::SetSchedule{outcome.schedule});
    const bool hot = !window.still && ImGui::IsItemHovered();
    ImGui::PopID();
    if (hot) tooltip(tooltip_of(exploration, outcome), window);
    if (chosen)
        draw->AddRectFilled({row.x - window.px(8), row.y + window.px(4)},
                            {row.x - window.px(5), row.bottom() - window.px(4)}, theme().accent);
    const std::string count = share_words(exploration, outcome);
    const float width = text_width(fonts().text, count),
                middle = centre_line(fonts().text, row.y, row.height);
    draw_text(draw, fonts().text, {row.right() - width, middle}, theme().text_quiet, count);
    const bool judged = !outcome.expectations.empty() || !outcome.problems.empty();
    const std::string mark = !outcome.ok ? "✗ " : judged ? "✓ " : "";
    const ImU32 colour = !outcome.ok ? theme().conflict : hot || chosen ? theme().text_strong : theme().text;
    draw_text_within(draw, fonts().text, {row.x, middle}, colour,
                     mark + execution::summary(exploration, outcome), row.width - width - window.px(10));
}

}  // namespace

std::string extent_words(const execution::Exploration& exploration) {
    const std::size_t count = exploration.outcomes.size();
    const std::string outcomes = std::to_string(count) + (count == 1 ? " outcome" : " outcomes");
    if (exploration.schedules) return outcomes + " of " + grouped(*exploration.schedules) + " schedules";
    if (exploration.complete) return outcomes + ", every schedule";
    return outcomes + " in a sample of " + grouped(exploration.runs);
}

std::string share_words(const execution::Exploration& exploration, const execution::Outcome& outcome) {
    if (exploration.schedules && outcome.schedules)
        return grouped(*outcome.schedules) + " of " + grouped(*exploration.schedules);
    return grouped(outcome.count) + " of " + grouped(exploration.runs);
}

float outcomes_height(const session::Session& session, const WindowState& window) {
    const execution::Exploration* found = session.explorer().found();
    if (session.explorer().busy() || found == nullptr) return window.px(outcome_row_step);
    const bool more = found->outcomes.size() > shown_rows(*found);
    return window.px(outcome_row_step * float(1 + shown_rows(*found) + (more ? 1 : 0)));
}

void draw_outcomes(const Rect& inside, const ViewContext& view) {
    Rect row{inside.x, inside.y, inside.width, view.px(outcome_row_step)};
    if (view.session.explorer().busy()) return draw_busy(row, view);
    const execution::Exploration* found = view.session.explorer().found();
    if (found == nullptr) {
        if (view.session.run() != nullptr && right_word("explore", row, tr("Try all schedules"), view.window))
            view.requests.commands.push_back(session::ExploreSchedules{});
        return;
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw_text_within(draw, fonts().text, {row.x, centre_line(fonts().text, row.y, row.height)},
                     theme().text_quiet, extent_words(*found), row.width);
    if (hovered(row, view.window)) tooltip(execution::extent_text(*found), view.window);
    for (std::size_t i = 0; i < shown_rows(*found); ++i) {
        row.y += row.height;
        draw_row(row, view.session, found->outcomes[i], static_cast<int>(i), view.window, view.requests);
    }
    if (const std::size_t more = found->outcomes.size() - shown_rows(*found); more != 0)
        draw_text(draw, fonts().text, {row.x, centre_line(fonts().text, row.y + row.height, row.height)},
                  theme().text_quiet, "and " + std::to_string(more) + " more");
}

}  // namespace lanescope::ui
