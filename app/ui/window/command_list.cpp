#include "ui/window/command_list.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "base/language.h"
#include "ui/actions/table.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float choice_height = 28;
constexpr std::size_t max_rows = 14;

// A choice that cannot run here shows the reason, and the list stays open.
void choose(const Choice& choice, const Place& place, Requests& requests) {
    if (!choice.why_not.empty()) return tell(place, choice.why_not, requests);
    requests.change([](WindowState& window) { window.dialog = Dialog::none; });
    choice.run(requests);  // this may open another dialog
}

void close(Requests& requests) {
    requests.change([](WindowState& window) { window.dialog = Dialog::none; });
}

}  // namespace

void CommandList::draw(const Place& place, Requests& requests) {
    if (std::exchange(shown_, place.window.dialog) != place.window.dialog) {
        typed_.clear();
        selected_ = first_ = 0;
    }
    if (shown_ == Dialog::menu) draw_menu(place, requests);
    if (shown_ == Dialog::palette) draw_palette(place, requests);
}

void CommandList::draw_row(const Rect& row, const Choice& choice, bool selected, const WindowState& window) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool possible = choice.why_not.empty();
    const float padding = window.px(theme().padding);
    if (selected) draw->AddRectFilled(row.min(), row.max(), theme().selected);
    const std::string& beside = possible ? choice.detail : choice.why_not;
    const float share = possible ? 0.5f : 0.62f;  // of the row; a reason is a sentence and needs more room
    const float detail = std::min(text_width(fonts().small, beside), row.width * share);
    const float right = row.right() - padding - detail;
    const ImU32 colour = !possible ? theme().text_faint : selected ? theme().text_strong : theme().text;
    draw_text_within(draw, fonts().text,
                     ImVec2(row.x + padding, centre_line(fonts().text, row.y, row.height)), colour,
                     choice.title, right - row.x - 2 * padding);
    const bool cut =
        draw_text_within(draw, fonts().small, ImVec2(right, centre_line(fonts().small, row.y, row.height)),
                         possible ? theme().text_quiet : theme().text_faint, beside, detail + 1);
    if (cut && !possible && hovered(row, window)) tooltip(choice.why_not, window);
}

int CommandList::rows(const Rect& area, const std::vector<Choice>& choices, std::size_t visible,
                      const WindowState& window) {
    if (choices.empty()) return -1;
    if (key_pressed(ImGuiKey_DownArrow)) ++selected_;
    if (key_pressed(ImGuiKey_UpArrow) && selected_ > 0) --selected_;
    selected_ = std::min(selected_, choices.size() - 1);
    first_ = std::clamp(first_, selected_ + 1 > visible ? selected_ + 1 - visible : 0, selected_);
    int chosen = key_pressed(ImGuiKey_Enter) || key_pressed(keypad_enter) ? int(selected_) : -1;
    const float height = window.px(choice_height);
    const bool moved = ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0;
    for (std::size_t i = first_; i < std::min(first_ + visible, choices.size()); ++i) {
        const Rect row{area.x, area.y + float(i - first_) * height, area.width, height};
        if (click_area(("row" + std::to_string(i)).c_str(), row, choices[i].title)) chosen = int(i);
        if (moved && hovered(row, window)) selected_ = i;
        draw_row(row, choices[i], i == selected_, window);
    }
    if (hovered(area, window) && ImGui::GetIO().MouseWheel != 0) {
        const bool up = ImGui::GetIO().MouseWheel > 0;
        selected_ = up ? selected_ - std::min<std::size_t>(selected_, 1)
                       : std::min(selected_ + 1, choices.size() - 1);
    }
    return chosen;
}

void CommandList::draw_menu(const Place& place, Requests& requests) {
    const WindowState& window = place.window;
    const std::vector<Choice> choices = menu_choices(place);
    const float top = window.px(42), row = window.px(choice_height), margin = window.px(16);
    const float fitting = std::max((ImGui::GetIO().DisplaySize.y - top - 2 * margin) / row, 1.0f);
    const std::size_t visible = std::min(choices.size(), std::size_t(fitting));
    const Rect box{window.px(10), top, window.px(380), row * float(visible) + margin};
    begin_overlay("##menu", box, window);
    const Rect area{box.x, box.y + window.px(8), box.width, box.height - window.px(16)};
    const int chosen = rows(area, choices, visible, window);
    ImGui::End();
    const Rect name{0, 0, window.px(120), box.y};  // the program's name; a click on it closes the menu too
    if (chosen >= 0)
        choose(choices[std::size_t(chosen)], place, requests);
    else if (clicked_outside(box, window) && !ImGui::IsMouseHoveringRect(name.min(), name.max(), false))
        close(requests);
}

void CommandList::draw_palette(const Place& place, Requests& requests) {
    const WindowState& window = place.window;
    Rect box = centred(window.px(640), window.px(56 + choice_height * float(max_rows)));
    box.y = std::min(box.y, window.px(90));
    begin_overlay("##palette", box, window);
    const float padding = window.px(theme().padding);
    ImGui::SetCursorScreenPos(ImVec2(box.x + padding, box.y + window.px(10)));
    ImGui::SetNextItemWidth(box.width - 2 * padding);
    if (!ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
    if (ImGui::InputTextWithHint("##find", tr("a lesson, a file, a command, n = 64 …"), &typed_))
        selected_ = first_ = 0;
    name_last_item("find");
    const std::vector<Choice> choices = find_choices(place, typed_);
    const Rect area{box.x, box.y + window.px(46), box.width, box.height - window.px(50)};
    const int chosen = rows(area, choices, max_rows, window);
    if (choices.empty())
        draw_text(ImGui::GetWindowDrawList(), fonts().text, ImVec2(area.x + padding, area.y + window.px(5)),
                  theme().text_quiet, tr("no command, lesson or file contains all of these words"));
    ImGui::End();
    if (chosen >= 0)
        choose(choices[std::size_t(chosen)], place, requests);
    else if (clicked_outside(box, window))
        close(requests);
}

}  // namespace lanescope::ui
