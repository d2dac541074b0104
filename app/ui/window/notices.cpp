#include "ui/window/notices.h"

#include <algorithm>
#include <cmath>

#include "base/language.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

void draw_question(const ViewContext& view) {
    using Kind = session::Question::Kind;
    const Kind kind = view.session.document().question().kind;
    if (kind == Kind::none) return;
    const std::string name = view.session.document().path().filename().string();
    const bool draft = kind == Kind::draft_found, gone = kind == Kind::gone;
    const std::string text = draft  ? tr("{1} was edited and not saved", {name})
                             : gone ? tr("{1} was deleted or moved; its text is only here", {name})
                                    : tr("{1} also changed on disk", {name});
    const std::string first = draft  ? tr("Restore the draft")
                              : gone ? tr("Save it again")
                                     : tr("Keep mine"),
                      second = draft  ? tr("Discard the draft")
                               : gone ? tr("Keep it here")
                                      : tr("Load from disk");
    const float gap = view.px(14), height = view.px(44);
    const float width = text_width(fonts().strong, text) + chip_width(first, view.window) +
                        chip_width(second, view.window) + 4 * gap;
    const float middle = ImGui::GetIO().DisplaySize.x / 2;
    const Rect box{std::round(middle - width / 2), view.px(106), width, height};
    begin_overlay("##question", box, view.window, ImGuiWindowFlags_NoFocusOnAppearing);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRect(box.min(), box.max(), theme().barrier, view.px(8));
    float x = box.x + gap;
    draw_text(draw, fonts().strong, ImVec2(x, centre_line(fonts().strong, box.y, height)),
              theme().text_strong, text);
    x += text_width(fonts().strong, text) + gap;
    const float y = box.y + (height - chip_height(view.window)) / 2;
    // The answer must follow the text that was typed last, which the session may not have yet.
    const bool typing = view.window.source.editing && !view.window.comparing;
    session::Commands& answers = typing ? view.requests.after_typing : view.requests.commands;
    if (chip("first", ImVec2(x, y), first, view.window, {theme().accent, false, true, first}))
        answers.push_back(session::AnswerQuestion{true});
    x += chip_width(first, view.window) + gap;
    if (chip("second", ImVec2(x, y), second, view.window, {.name = second}))
        answers.push_back(session::AnswerQuestion{false});
    ImGui::End();
}

void draw_notice(const WindowState& window) {
    const std::string& text = window.notice.text;
    if (text.empty() || window.now_s > window.notice.until_s) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = window.px(16), height = window.px(30);
    const float width = std::min(text_width(fonts().strong, text) + 2 * margin, display.x - margin);
    const Rect box{std::round((display.x - width) / 2), display.y - window.px(250), width, height};
    ImDrawList* draw = ImGui::GetForegroundDrawList();
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, height / 2);
    draw->AddRect(box.min(), box.max(), theme().accent, height / 2);
    draw_text_within(draw, fonts().strong, ImVec2(box.x + margin, centre_line(fonts().strong, box.y, height)),
                     theme().text_strong, text, width - 2 * margin + 1);
}

void draw_file_problem(const session::Session& session, const WindowState& window) {
    using Kind = session::Session::FileProblem::Kind;
    const session::Session::FileProblem* problem = session.file_problem();
    if (problem == nullptr) return;
    const Diagnostic& why = problem->why;
    std::string text = why.message + (why.hint.empty() ? "" : " (" + why.hint + ")");
    if (problem->kind == Kind::save)
        text = tr("{1} is not saved: {2}", {session.document().path().filename().string(), text});
    else if (problem->kind == Kind::open && !why.file.empty())
        text = std::filesystem::path(why.file).filename().string() + ": " + text;
    const float display = ImGui::GetIO().DisplaySize.x, margin = window.px(16), height = window.px(30);
    const float width = std::min(text_width(fonts().strong, text) + 2 * margin, display - margin);
    constexpr float top = 156;  // below a question
    const Rect box{std::round((display - width) / 2), window.px(top), width, height};
    begin_overlay("##file problem", box, window,
                  ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRect(box.min(), box.max(), theme().conflict, window.px(8));
    draw_text_within(draw, fonts().strong,
                     ImVec2(box.x + margin, centre_line(fonts().strong, box.y, box.height)),
                     theme().text_strong, text, width - 2 * margin + 1);
    ImGui::End();
}

void draw_last_good(const Layout& layout, const session::Session& session, const WindowState& window) {
    const bool older =
        session.run() != nullptr && window.runs_long() &&
        ((session.runner().busy() && !session.runner().opening()) || session.host_code().running());
    if ((!older && !session.shows_last_good()) || layout[Panel::stage].empty()) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                                       ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
                                       ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing;
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(display);
    ImGui::Begin("##last good", nullptr, flags);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (const Panel panel : {Panel::stage, Panel::warps, Panel::inspector, Panel::timeline}) {
        const Rect& rect = layout[panel];
        if (!rect.empty()) draw->AddRectFilled(rect.min(), rect.max(), faded(theme().background, 0.45f));
    }
    const Rect& stage = layout[Panel::stage];
    const bool cancelled = session.runner().cancelled() && session.diagnostics().empty();
    const std::string text = older       ? tr("of the run before; the new one has not ended yet")
                             : cancelled ? tr("an older run; the newest one was cancelled")
                                         : tr("last good run; the newest change cannot run (see the source)");
    const float width =
        std::min(text_width(fonts().strong, text) + window.px(32), stage.width - window.px(16));
    const Rect box{std::round(stage.x + (stage.width - width) / 2), stage.bottom() - window.px(42), width,
                   window.px(30)};
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, window.px(15));
    draw->AddRect(box.min(), box.max(), theme().conflict, window.px(15));
    draw_text_within(draw, fonts().strong,
                     ImVec2(box.x + window.px(16), centre_line(fonts().strong, box.y, box.height)),
                     theme().text_strong, text, box.width - window.px(24));
    ImGui::End();
}

}  // namespace lanescope::ui
