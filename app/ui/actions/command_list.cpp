#include "ui/actions/command_list.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float row_height = 28;
constexpr std::size_t most_rows = 14;

}  // namespace

void CommandList::draw(const session::Session& session, WindowState& shared, session::Commands& commands) {
    if (std::exchange(shown_, shared.dialog) != shared.dialog) {
        typed_.clear();
        selected_ = first_ = 0;
    }
    if (shared.dialog == Dialog::menu) draw_menu(session, shared, commands);
    if (shared.dialog == Dialog::palette) draw_palette(session, shared, commands);
}

void CommandList::choose(const Action& action, WindowState& shared, session::Commands& commands) {
    shared.dialog = Dialog::none;
    action.act(shared, commands);  // which may open another one
}

int CommandList::rows(const Rect& area, const std::vector<Action>& actions, std::size_t visible,
                      const WindowState& shared) {
    if (actions.empty()) return -1;
    if (key_pressed(ImGuiKey_DownArrow)) ++selected_;
    if (key_pressed(ImGuiKey_UpArrow) && selected_ > 0) --selected_;
    selected_ = std::min(selected_, actions.size() - 1);
    first_ = std::clamp(first_, selected_ + 1 > visible ? selected_ + 1 - visible : 0, selected_);
    int chosen = key_pressed(ImGuiKey_Enter) || key_pressed(ImGuiKey_KeyPadEnter) ? int(selected_) : -1;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float height = shared.px(row_height), padding = shared.px(theme().padding);
    const bool moved = ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0;
    for (std::size_t i = first_; i < std::min(first_ + visible, actions.size()); ++i) {
        const Rect row{area.x, area.y + float(i - first_) * height, area.width, height};
        if (click_area(("row" + std::to_string(i)).c_str(), row)) chosen = int(i);
        if (moved && hovered(row, shared)) selected_ = i;
        if (i == selected_) draw->AddRectFilled(row.min(), row.max(), theme().selected);
        const float detail = std::min(text_width(fonts().small, actions[i].detail), row.width * 0.5f);
        const float right = row.right() - padding - detail;
        draw_text_within(draw, fonts().text,
                         ImVec2(row.x + padding, centre_line(fonts().text, row.y, height)),
                         i == selected_ ? theme().text_strong : theme().text, actions[i].title,
                         right - row.x - 2 * padding);
        draw_text_within(draw, fonts().small, ImVec2(right, centre_line(fonts().small, row.y, height)),
                         theme().text_quiet, actions[i].detail, detail + 1);
    }
    if (hovered(area, shared) && ImGui::GetIO().MouseWheel != 0) {
        const bool up = ImGui::GetIO().MouseWheel > 0;
        selected_ = up ? selected_ - std::min<std::size_t>(selected_, 1)
                       : std::min(selected_ + 1, actions.size() - 1);
    }
    return chosen;
}

void CommandList::draw_menu(const session::Session& session, WindowState& shared,
                            session::Commands& commands) {
    const std::vector<Action> actions = menu_actions(session, shared);
    const Rect box{shared.px(10), shared.px(42), shared.px(380),
                   shared.px(row_height * float(actions.size()) + 16)};
    begin_overlay("##menu", box, shared);
    const Rect area{box.x, box.y + shared.px(8), box.width, box.height - shared.px(16)};
    const int chosen = rows(area, actions, actions.size(), shared);
    ImGui::End();
    if (chosen >= 0)
        choose(actions[std::size_t(chosen)], shared, commands);
    else if (clicked_outside(box, shared))
        shared.dialog = Dialog::none;
}

void CommandList::draw_palette(const session::Session& session, WindowState& shared,
                               session::Commands& commands) {
    Rect box = centred(shared.px(640), shared.px(56 + row_height * float(most_rows)));
    box.y = std::min(box.y, shared.px(90));
    begin_overlay("##palette", box, shared);
    const float padding = shared.px(theme().padding);
    ImGui::SetCursorScreenPos(ImVec2(box.x + padding, box.y + shared.px(10)));
    ImGui::SetNextItemWidth(box.width - 2 * padding);
    if (!ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
    if (ImGui::InputTextWithHint("##find", "a lesson, a file, a command, n = 64 …", &typed_))
        selected_ = first_ = 0;
    const std::vector<Action> actions = find_actions(session, shared, typed_);
    const Rect area{box.x, box.y + shared.px(46), box.width, box.height - shared.px(50)};
    const int chosen = rows(area, actions, most_rows, shared);
    if (actions.empty())
        draw_text(ImGui::GetWindowDrawList(), fonts().text, ImVec2(area.x + padding, area.y + shared.px(5)),
                  theme().text_quiet, "nothing has all of these words");
    ImGui::End();
    if (chosen >= 0)
        choose(actions[std::size_t(chosen)], shared, commands);
    else if (clicked_outside(box, shared))
        shared.dialog = Dialog::none;
}

}  // namespace lanescope::ui
