#include "ui/inspector/problems_view.h"

#include <algorithm>

#include "scene/words/problem_words.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"
#include "ui/source/problem_marks.h"

namespace lanescope::ui {

namespace {}  // namespace

void ProblemsPanel::draw(const Rect& inside, const session::Session& session, const WindowState& window,
                         Requests& requests) {
    const session::RunResult* run = session.run();
    if (!run) return;
    const float pad = window.px(theme().padding);
    Rect row{inside.x + pad, inside.y + window.px(9) - scroll_, inside.width - 2 * pad, 0};
    const std::uint64_t told = session.playhead().results().revealed_until;
    if (told == ~0ull)
        row.y += draw_expectations(row, *run, window);
    else
        row.y +=
            draw_text_block(
                fonts().text, row, theme().text_quiet,
                "Results are hidden. Problems appear when their steps are revealed. Press H to show all.") +
            window.px(10);
    if (run->problems.empty() && told == ~0ull)
        row.y +=
            draw_text_block(fonts().text, row, theme().text_quiet, "No problems were found in this run.");
    for (std::size_t i = 0; i < run->problems.size(); ++i)
        if (!comes_later(run->problems[i], told))
            row.y +=
                draw_problem(row, run->problems[i], static_cast<int>(i), window, requests) + window.px(10);
    if (hovered(inside, window)) scroll_ -= ImGui::GetIO().MouseWheel * window.px(40);
    const float height = row.y + scroll_ - inside.y;
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - inside.height));
    draw_scroll_mark(inside, scroll_, height, window);
}

float ProblemsPanel::draw_expectations(const Rect& row, const session::RunResult& run,
                                       const WindowState& window) {
    float y = row.y;
    for (const lesson::ExpectOutcome& outcome : run.expectations) {
        const std::string text =
            outcome.ok ? "✓ " + outcome.buffer + " is as expected" : "✗ " + outcome.mismatch;
        y += draw_text_block(fonts().text, {row.x, y, row.width, 0},
                             outcome.ok ? theme().good : theme().conflict, text) +
             window.px(4);
    }
    return run.expectations.empty() ? 0 : y - row.y + window.px(6);
}

float ProblemsPanel::draw_problem(const Rect& row, const trace::Problem& problem, int number,
                                  const WindowState& window, Requests& requests) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImU32 colour = colour_of(meaning_of(problem));
    const float line = window.px(20), indent = row.x + window.px(10);
    float y = row.y;
    const std::string title = title_words(problem);
    draw_text(draw, fonts().strong, {indent, centre_line(fonts().strong, y, line)}, colour, title);
    y += line;
    y += draw_text_block(fonts().text, {indent, y, row.width - window.px(10), 0}, theme().text,
                         problem.message) +
         window.px(2);
    const auto link = [&](const char* id, const char* word, const trace::ProblemSite& site) {
        if (site.line == 0) return;
        const std::string name = "problem " + std::to_string(number + 1) + " " + id;
        const std::string text = std::string(word) + site_words(site);
        const Rect area{indent, y, row.width - window.px(10), line};
        ImGui::PushID(number);
        const bool clicked = was_recorded(site) && click_area(id, area, name);
        const bool hot = was_recorded(site) && !window.still && ImGui::IsItemHovered();
        ImGui::PopID();
        if (clicked) jump_to(site, requests);
        if (hot) tooltip("click: go to this access", window);
        draw_text_within(draw, fonts().text, {indent, centre_line(fonts().text, y, line)},
                         !was_recorded(site) ? theme().text_quiet
                         : hot               ? theme().text_strong
                                             : theme().accent,
                         text, area.width);
        y += line;
    };
    link("first", problem.second.line ? "first: " : "at ", problem.first);
    link("second", "second: ", problem.second);
    draw->AddRectFilled({row.x, row.y + window.px(2)}, {row.x + window.px(3), y - window.px(2)}, colour,
                        window.px(1));
    return y - row.y;
}

}  // namespace lanescope::ui
