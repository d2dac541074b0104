#include "ui/inspector/problems_view.h"

#include <algorithm>

#include "base/language.h"
#include "scene/inspector/launch_rows.h"
#include "scene/words/problem_words.h"
#include "scene/words/race_path.h"
#include "ui/kit/text_block.h"
#include "ui/kit/widgets.h"
#include "ui/source/problem_marks.h"

namespace lanescope::ui {

void ProblemsPanel::draw(const Rect& inside, const scene::HostTimeline& host, HostLine& line,
                         const ViewContext& view) {
    const float below = std::min(line.height(view.window), inside.height / 2);
    const Rect list{inside.x, inside.y, inside.width, inside.height - below};
    ImGui::GetWindowDrawList()->PushClipRect(list.min(), list.max(), true);
    const float pad = view.px(theme().padding);
    Rect row{list.x + pad, list.y + view.px(9) - scroll_, list.width - 2 * pad, 0};
    const std::vector<std::size_t> found = of_program(host, view.session);
    if (view.session.run()) row.y += draw_run(row, view.session, !found.empty(), view.window, view.requests);
    for (const std::size_t each : found)
        row.y += draw_finding(row, host.findings()[each], each, line, view) + view.px(10);
    if (hovered(list, view.window)) scroll_ -= ImGui::GetIO().MouseWheel * view.px(40);
    const float height = row.y + scroll_ - list.y;
    scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height - list.height));
    draw_scroll_mark(list, scroll_, height, view.window);
    ImGui::GetWindowDrawList()->PopClipRect();
    line.draw({inside.x, list.bottom(), inside.width, below}, view.window);
}

std::vector<std::size_t> ProblemsPanel::of_program(const scene::HostTimeline& host,
                                                   const session::Session& session) {
    std::vector<std::size_t> made;
    if (session.launches().program() == nullptr) return made;
    const std::optional<std::uint64_t> shown = session.launches().shown();
    for (std::size_t i = 0; i < host.findings().size(); ++i) {
        const program::Finding& each = host.findings()[i].finding;
        const bool of_shown = shown && each.launch == static_cast<std::int64_t>(*shown) &&
                              each.kind != "stream_race" && session.run() != nullptr;
        const auto same_line = [&](const trace::Problem& problem) {
            return problem.first.line == each.line || problem.second.line == each.line;
        };
        if (!of_shown ||
            std::none_of(session.run()->problems.begin(), session.run()->problems.end(), same_line))
            made.push_back(i);
    }
    return made;
}

// Draws what was found in the run that is shown. `more`: findings of its program follow.
float ProblemsPanel::draw_run(Rect row, const session::Session& session, bool more, const WindowState& window,
                              Requests& requests) {
    const execution::RunResult* run = session.run();
    const float top = row.y;
    const std::uint64_t told = session.playhead().results().revealed_until;
    if (told == ~0ull)
        row.y += draw_expectations(row, *run, window);
    else
        row.y += draw_text_block(fonts().text, row, theme().text_quiet,
                                 tr("Results are hidden. Problems appear when their steps are revealed. "
                                    "Press H to show all.")) +
                 window.px(10);
    if (run->problems.empty() && told == ~0ull && !more)
        row.y +=
            draw_text_block(fonts().text, row, theme().text_quiet, tr("No problems were found in this run."));
    if (const std::string unseen = run->unseen(); !unseen.empty())
        row.y += window.px(10) + draw_text_block(fonts().text,
                                                 {row.x, row.y + window.px(10), row.width, row.height},
                                                 theme().text_quiet, "Note: " + unseen + ".");
    for (std::size_t i = 0; i < run->problems.size(); ++i)
        if (!comes_later(run->problems[i], told))
            row.y +=
                draw_problem(row, run->problems[i], static_cast<int>(i), window, requests) + window.px(10);
    return row.y - top;
}

// Draws a finding of the program, with links to the kernel's line and to those of the host.
float ProblemsPanel::draw_finding(const Rect& row, const scene::HostFinding& found, std::size_t number,
                                  HostLine& line, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const program::Finding& finding = found.finding;
    const ImU32 colour = finding.note                    ? theme().text_quiet
                         : finding.kind == "stream_race" ? theme().race
                                                         : theme().conflict;
    const float height = view.click_px(20), indent = row.x + view.px(10);
    float y = row.y;
    std::string title = found.title;
    if (finding.occurrences > 1) title += " (" + grouped(finding.occurrences) + " times)";
    draw_text(draw, fonts().strong, {indent, centre_line(fonts().strong, y, height)}, colour,
              (finding.note ? "note: " : "✗ ") + title);
    y += height;
    y += draw_text_block(fonts().text, {indent, y, row.width - view.px(10), 0}, theme().text,
                         finding.message) +
         view.px(2);
    const auto link = [&](const char* id, const std::string& text, const char* says) {
        const Rect area{indent, y, row.width - view.px(10), height};
        ImGui::PushID(static_cast<int>(number));
        const bool clicked = click_area(id, area, "finding " + std::to_string(number + 1) + " " + id);
        const bool hot = !view.window.still && ImGui::IsItemHovered();
        ImGui::PopID();
        if (hot) tooltip(says, view.window);
        draw_text_within(draw, fonts().text, {indent, centre_line(fonts().text, y, height)},
                         hot ? theme().text_strong : theme().accent, text, area.width);
        y += height;
        return clicked;
    };
    const program::HostPlace kernel{finding.file, static_cast<int>(finding.line), {}};
    if (finding.line != 0 &&
        link("kernel", "kernel: " + scene::place_words(kernel), "click: show the kernel's line"))
        line.show(kernel, view.session, view.requests);
    const bool launched = finding.launch >= 0;
    if (finding.place.line != 0 &&
        link("host", (launched ? "launched at " : "host: ") + scene::place_words(finding.place),
             "click: show the host's line"))
        line.show(finding.place, view.session, view.requests);
    if (finding.other.line != 0 &&
        link("other", "earlier: " + scene::place_words(finding.other), "click: show the host's line"))
        line.show(finding.other, view.session, view.requests);
    const bool other =
        launched && view.session.launches().shown() != static_cast<std::uint64_t>(finding.launch);
    if (other && link("launch", "record launch " + std::to_string(finding.launch),
                      "click: run the program again, record this launch and show it"))
        view.requests.commands.push_back(session::RecordLaunch{static_cast<std::uint64_t>(finding.launch)});
    draw->AddRectFilled({row.x, row.y + view.px(2)}, {row.x + view.px(3), y - view.px(2)}, colour,
                        view.px(1));
    return y - row.y;
}

float ProblemsPanel::draw_expectations(const Rect& row, const execution::RunResult& run,
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

// Draws the ways of the two threads, time going down, and what would order their accesses.
float ProblemsPanel::draw_path(const Rect& row, const scene::RacePath& path, ImU32 colour,
                               const WindowState& window) {
    if (path.rows == 0) return 0;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float line = window.px(21), dot = window.px(4), width = row.width / 2;
    const float top = row.y + window.px(6);
    const auto y_of = [&](unsigned of_row) { return top + line * (static_cast<float>(of_row) + 1.5f); };
    float x[2] = {};
    for (const unsigned i : {0u, 1u}) {
        const scene::RacePath::Way& way = path.ways[i];
        x[i] = row.x + static_cast<float>(i) * width + dot;
        draw_text_within(draw, fonts().small, {x[i] - dot, centre_line(fonts().small, top, line)},
                         theme().text_quiet, way.thread, width - window.px(8));
        draw->AddLine({x[i], y_of(way.stops.front().row)}, {x[i], y_of(way.stops.back().row)},
                      theme().text_quiet, window.px(2));
        for (const scene::RacePath::Stop& stop : way.stops) {
            const float y = y_of(stop.row);
            if (stop.access)
                draw->AddCircleFilled({x[i], y}, dot, colour);
            else
                draw->AddRectFilled({x[i] - dot, y - dot}, {x[i] + dot, y + dot}, theme().text_quiet);
            if (stop.access || i == 0 || !path.together)
                draw_text_within(draw, fonts().small,
                                 {x[i] + 2.5f * dot, centre_line(fonts().small, y - line / 2, line)},
                                 stop.access ? theme().text : theme().text_quiet, stop.text,
                                 (path.together && !stop.access ? row.width : width) - window.px(16));
        }
    }
    const auto behind_text = [&](unsigned i, const scene::RacePath::Stop& stop) {
        return std::min(x[i] + 4 * dot + text_width(fonts().small, stop.text), x[1] - 2 * dot);
    };
    if (path.together)
        draw->AddLine({behind_text(0, path.ways[0].stops.front()), y_of(0)}, {x[1], y_of(0)},
                      theme().text_quiet, window.px(2));
    // Between the accesses: nothing that orders them.
    const scene::RacePath::Stop& earlier = path.ways[0].stops.back();
    const ImVec2 from{behind_text(0, earlier), y_of(earlier.row)},
        to{x[1], y_of(path.ways[1].stops.back().row)};
    constexpr int dashes = 9;
    for (int i = 0; i < dashes; i += 2) {
        const auto at = [&](int part) {
            const float share = static_cast<float>(part) / dashes;
            return ImVec2{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
        };
        draw->AddLine(at(i), at(i + 1), colour, window.px(1.5f));
    }
    float y = y_of(path.rows - 1) + line / 2 + window.px(4);
    y += draw_text_block(fonts().text, {row.x, y, row.width, 0}, theme().text,
                         "To order the two: " + path.remedy + ".");
    return y - row.y;
}

float ProblemsPanel::draw_problem(const Rect& row, const trace::Problem& problem, int number,
                                  const WindowState& window, Requests& requests) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImU32 colour = colour_of(meaning_of(problem));
    const float line = window.click_px(20), indent = row.x + window.px(10);
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
        if (hot) tooltip(tr("click: go to this access"), window);
        draw_text_within(draw, fonts().text, {indent, centre_line(fonts().text, y, line)},
                         !was_recorded(site) ? theme().text_quiet
                         : hot               ? theme().text_strong
                                             : theme().accent,
                         text, area.width);
        y += line;
    };
    link("first", problem.second.line ? "first: " : "at ", problem.first);
    link("second", "second: ", problem.second);
    y += draw_path({indent, y, row.width - window.px(10), 0}, scene::race_path(problem), colour, window);
    draw->AddRectFilled({row.x, row.y + window.px(2)}, {row.x + window.px(3), y - window.px(2)}, colour,
                        window.px(1));
    return y - row.y;
}

}  // namespace lanescope::ui
