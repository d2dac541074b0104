// The list of errors below the source.
#include <algorithm>

#include "ui/kit/widgets.h"
#include "ui/source/source_view.h"

namespace lanescope::ui {

namespace {

constexpr std::size_t max_listed_errors = 4;

}  // namespace

// Draws the errors of the newest attempt below the code. Returns their height.
float SourceView::draw_problem_list(const Rect& inside, const ViewContext& view) {
    const Diagnostics& diagnostics = view.session.diagnostics();
    if (diagnostics.empty()) return 0;
    const float row = view.px(22), share = 0.4f;  // of the panel, so that the code stays in sight
    const auto room = std::size_t(std::max((inside.height * share - view.px(10)) / row, 1.0f));
    const std::size_t shown = std::min({diagnostics.size(), max_listed_errors, room});
    const bool told = view.session.run() != nullptr && shown < std::max<std::size_t>(room, 2);
    const float height = row * float(shown + (told ? 1 : 0)) + view.px(10);
    const Rect list{inside.x, inside.bottom() - height, inside.width, height};
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(list.min(), list.max(), theme().panel_raised);
    draw->AddRectFilled(list.min(), ImVec2(list.right(), list.y + 1), theme().conflict);
    float y = list.y + view.px(5);
    const float left = list.x + view.px(theme().padding), width = list.width - 2 * view.px(theme().padding);
    for (std::size_t i = 0; i < shown; ++i, y += row) {
        const Diagnostic& diagnostic = diagnostics[i];
        std::string text = diagnostic.line ? "line " + std::to_string(diagnostic.line) + ": " : std::string();
        text += diagnostic.message + (diagnostic.hint.empty() ? "" : " (" + diagnostic.hint + ")");
        const ImU32 colour = diagnostic.severity == Severity::error ? theme().conflict : theme().barrier;
        const bool cut = draw_text_within(draw, fonts().text, ImVec2(left, centre_line(fonts().text, y, row)),
                                          colour, text, width);
        const bool clicked = click_area(("error" + std::to_string(i)).c_str(), {list.x, y, list.width, row});
        if (cut && !view.window.still && ImGui::IsItemHovered()) tooltip(text, view.window);
        if (clicked && diagnostic.line) go_to(diagnostic, view.requests);
    }
    if (told) {
        const std::size_t more = diagnostics.size() - shown;
        draw_text(draw, fonts().small, ImVec2(left, centre_line(fonts().small, y, row)), theme().text_quiet,
                  (more == 0 ? std::string() : std::to_string(more) + " more · ") +
                      "the views still show the last good run");
    }
    return height;
}

// Goes to the place of an error: the caret while the text is edited, else the line.
void SourceView::go_to(const Diagnostic& diagnostic, Requests& requests) {
    const auto line = std::min(std::size_t(diagnostic.line), document_.line_count());
    requests.commands.push_back(session::SelectLine{std::uint32_t(line)});
    selected_line_ = 0;  // a second click goes there again
    if (!editor_.editing()) return;
    const auto column = std::size_t(std::max(diagnostic.column - 1, 0));
    caret_frames_ = 4;
    editor_.go_to(document_.line_begin(line) + std::min(column, document_.line(line).size()));
}

}  // namespace lanescope::ui
