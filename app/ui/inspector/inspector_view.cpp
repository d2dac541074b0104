#include "ui/inspector/inspector_view.h"

#include <algorithm>

#include "base/language.h"
#include "ui/kit/widgets.h"
#include "ui/state/inspector_tabs.h"

namespace lanescope::ui {

void InspectorView::tabs(const Rect& row, const ViewContext& view) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddLine({row.x, row.bottom() - 0.5f}, {row.right(), row.bottom() - 0.5f}, theme().line);
    Heading heading(row, view.window);
    show_new_problems(view.session);
    follow_program(view.session);
    const std::size_t found = this->found(view.session);
    if (const InspectorTab asked = view.window.inspector.tab; asked != InspectorTab::automatic) {
        tab_ = asked;
        view.requests.change([asked](WindowState& changed) {
            if (changed.inspector.tab == asked) changed.inspector.tab = InspectorTab::automatic;
        });
    }
    const bool program = view.session.launches().program() != nullptr;
    const bool of_program = tab_ == InspectorTab::launches || tab_ == InspectorTab::host;
    if (!program && of_program) tab_ = InspectorTab::access;
    for (const InspectorTabRow& each : inspector_tabs) {
        if (each.needs_program != nullptr && !program) continue;
        // The times of a lesson's files are not those of a program.
        if (each.tab == InspectorTab::timings && program) continue;
        const bool counted = each.tab == InspectorTab::problems && found != 0;
        if (heading.word(tr(each.word) + (counted ? " (" + std::to_string(found) + ")" : std::string()),
                         tab_ == each.tab))
            tab_ = each.tab;
    }
}

// A program comes forward with its launches; one that launched nothing, with what its host did.
void InspectorView::follow_program(const session::Session& session) {
    const session::Launches& launches = session.launches();
    if (launches_of_ == launches.generation()) return;
    launches_of_ = launches.generation();
    host_line_.close();
    host_ = {};
    if (launches.program() == nullptr) return;
    host_ = scene::HostTimeline(launches.program()->run);
    const bool stays = tab_ == InspectorTab::launches || tab_ == InspectorTab::host;
    if (!stays) tab_ = InspectorTab::launches;
}

// Findings in the launch that is shown are among the problems of its run.
std::size_t InspectorView::found(const session::Session& session) const {
    const std::size_t of_run = session.run() ? session.run()->problems.size() : 0;
    if (session.launches().program() == nullptr) return of_run;
    return of_run + ProblemsPanel::of_program(host_, session).size();
}

// Shows the problems of a run, unless the previous run had problems too.
void InspectorView::show_new_problems(const session::Session& session) {
    if (generation_ == session.runner().generation()) return;
    generation_ = session.runner().generation();
    const bool had = has_problems_;
    has_problems_ = session.run() != nullptr &&
                    std::any_of(session.run()->problems.begin(), session.run()->problems.end(),
                                [](const trace::Problem& problem) { return !problem.note; });
    if (has_problems_ && !had && session.launches().program() == nullptr) tab_ = InspectorTab::problems;
    // For a run that only prints, the console comes forward.
    const bool only_prints = session.run() && !session.run()->console.empty() && session.trace() &&
                             session.trace()->symbols.empty();
    if (only_prints && !has_problems_ && session.launches().program() == nullptr)
        tab_ = InspectorTab::console;
}

// What the program printed stands below what the kernels of the launch printed.
void InspectorView::draw_console(const Rect& inside, const ViewContext& view) {
    if (!OutputPanel::has_text(view.session)) return console_.draw(inside, view);
    constexpr float one_line_px = 34;
    const bool prints = view.session.run() != nullptr && !view.session.run()->console.empty();
    const float above = view.session.run() == nullptr ? 0
                        : prints                      ? inside.height / 2
                                                      : std::min(view.px(one_line_px), inside.height / 2);
    const Rect kernels{inside.x, inside.y, inside.width, above};
    ImGui::GetWindowDrawList()->PushClipRect(kernels.min(), kernels.max(), true);
    if (above > 0) console_.draw(kernels, view);
    ImGui::GetWindowDrawList()->PopClipRect();
    output_.draw({inside.x, kernels.bottom(), inside.width, inside.height - above}, view.session,
                 view.window);
}

void InspectorView::content(const Rect& inside, const ViewContext& view) {
    const float height = view.px(theme().heading_height);
    tabs({inside.x, inside.y, inside.width, height}, view);
    const Rect below{inside.x, inside.y + height, inside.width, inside.height - height};
    if (below.empty()) return;
    ImGui::GetWindowDrawList()->PushClipRect(below.min(), below.max(), true);
    if (tab_ != InspectorTab::access && !view.window.cells.bank_words.empty())
        view.requests.set(&WindowState::cells, &CellChoices::bank_words, {});
    switch (tab_) {
        case InspectorTab::launches:
            launches_.draw(below, view);
            break;
        case InspectorTab::host:
            host_panel_.draw(below, host_, host_line_, view);
            break;
        case InspectorTab::automatic:
        case InspectorTab::variables:
            variables_.draw(below, view);
            break;
        case InspectorTab::access:
            access_.draw(below, view);
            break;
        case InspectorTab::problems:
            problems_.draw(below, host_, host_line_, view);
            break;
        case InspectorTab::console:
            draw_console(below, view);
            break;
        case InspectorTab::timings:
            timings_.draw(below, view);
            break;
        case InspectorTab::clock:
            clock_.draw(below, view);
            break;
    }
    ImGui::GetWindowDrawList()->PopClipRect();
}

}  // namespace lanescope::ui
