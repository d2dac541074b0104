#include "ui/window/notices.h"

#include <algorithm>
#include <cmath>

#include "ui/kit/widgets.h"

namespace lanescope::ui {

void draw_question(const session::Session& session, const WindowState& shared, Requests& requests) {
    using Kind = session::Question::Kind;
    const Kind kind = session.document().question().kind;
    if (kind == Kind::none) return;
    const std::string name = session.document().path().filename().string();
    const bool draft = kind == Kind::draft_found;
    const std::string text = draft ? name + " was edited and not saved" : name + " changed on the disk, too";
    const std::string first = draft ? "Take it up again" : "Keep mine",
                      second = draft ? "Leave it" : "Take the disk's";
    const float gap = shared.px(14), height = shared.px(44);
    const float width =
        text_width(fonts().strong, text) + chip_width(first, shared) + chip_width(second, shared) + 4 * gap;
    const float middle = ImGui::GetIO().DisplaySize.x / 2;
    const Rect box{std::round(middle - width / 2), shared.px(106), width, height};
    begin_overlay("##question", box, shared, ImGuiWindowFlags_NoFocusOnAppearing);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRect(box.min(), box.max(), theme().barrier, shared.px(8));
    float x = box.x + gap;
    draw_text(draw, fonts().strong, ImVec2(x, centre_line(fonts().strong, box.y, height)),
              theme().text_strong, text);
    x += text_width(fonts().strong, text) + gap;
    const float y = box.y + (height - chip_height(shared)) / 2;
    // What was typed last may not have reached the session yet: the answer is about that, too.
    const bool typing = shared.editing && !shared.comparing;
    session::Commands& answers = typing ? requests.after_typing : requests.commands;
    if (chip("first", ImVec2(x, y), first, shared, {theme().accent, false, true}))
        answers.push_back(session::AnswerQuestion{true});
    x += chip_width(first, shared) + gap;
    if (chip("second", ImVec2(x, y), second, shared)) answers.push_back(session::AnswerQuestion{false});
    ImGui::End();
}

void draw_notice(const WindowState& shared) {
    const std::string& text = shared.notice.text;
    if (text.empty() || shared.now_s > shared.notice.until_s) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float margin = shared.px(16), height = shared.px(30);
    const float width = std::min(text_width(fonts().strong, text) + 2 * margin, window.x - margin);
    const Rect box{std::round((window.x - width) / 2), window.y - shared.px(250), width, height};
    ImDrawList* draw = ImGui::GetForegroundDrawList();
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, height / 2);
    draw->AddRect(box.min(), box.max(), theme().accent, height / 2);
    draw_text_within(draw, fonts().strong, ImVec2(box.x + margin, centre_line(fonts().strong, box.y, height)),
                     theme().text_strong, text, width - 2 * margin + 1);
}

void draw_last_good(const Layout& layout, const session::Session& session, const WindowState& shared) {
    if (!session.shows_last_good() || layout[Panel::stage].empty()) return;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                                       ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
                                       ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing;
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(window);
    ImGui::Begin("##last good", nullptr, flags);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (const Panel panel : {Panel::stage, Panel::warps, Panel::inspector, Panel::timeline}) {
        const Rect& rect = layout[panel];
        if (!rect.empty()) draw->AddRectFilled(rect.min(), rect.max(), faded(theme().background, 0.45f));
    }
    const Rect& stage = layout[Panel::stage];
    const std::string text = "last good run: the newest change cannot run, see the source";
    const float width =
        std::min(text_width(fonts().strong, text) + shared.px(32), stage.width - shared.px(16));
    const Rect box{std::round(stage.x + (stage.width - width) / 2), stage.bottom() - shared.px(42), width,
                   shared.px(30)};
    draw->AddRectFilled(box.min(), box.max(), theme().panel_raised, shared.px(15));
    draw->AddRect(box.min(), box.max(), theme().conflict, shared.px(15));
    draw_text_within(draw, fonts().strong,
                     ImVec2(box.x + shared.px(16), centre_line(fonts().strong, box.y, box.height)),
                     theme().text_strong, text, box.width - shared.px(24));
    ImGui::End();
}

}  // namespace lanescope::ui
