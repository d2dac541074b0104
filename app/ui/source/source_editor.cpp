#include "ui/source/source_editor.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "session/document/history.h"
#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr double pause_s = 0.06;  // from the last key to the compilation; shorter than between two keys

}  // namespace

void SourceEditor::begin(const std::string& text, std::size_t caret) {
    draft_ = text;
    editing_ = true;
    changed_ = false;
    focus_wanted_ = true;
    caret_ = caret;
    replaced_ = caret > 0;  // otherwise the widget puts the caret at the start
}

void SourceEditor::replace(const std::string& text) {
    const session::Change change = session::change_between(draft_, text);
    caret_ = change.begin + change.inserted;  // the end of the change
    caret_moved_ = true;
    draft_ = text;
    changed_ = false;
    replaced_ = focused_;
}

void SourceEditor::focus_again() {
    focus_wanted_ = replaced_ = editing_;
}

void SourceEditor::go_to(std::size_t byte) {
    caret_ = std::min(byte, draft_.size());
    caret_moved_ = true;
    focus_again();
}

int SourceEditor::on_event(ImGuiInputTextCallbackData* data) {
    auto& editor = *static_cast<SourceEditor*>(data->UserData);
    if (std::exchange(editor.replaced_, false)) {
        data->DeleteChars(0, data->BufTextLen);
        data->InsertChars(0, editor.draft_.data(), editor.draft_.data() + editor.draft_.size());
        data->CursorPos = data->SelectionStart = data->SelectionEnd = int(editor.caret_);
    }
    const auto caret = std::size_t(data->CursorPos);
    editor.caret_moved_ = editor.caret_moved_ || caret != editor.caret_;
    editor.caret_ = caret;
    return 0;
}

void SourceEditor::edit(const Rect& area, const WindowState& window) {
    ImGui::SetCursorScreenPos(area.min());
    ImGui::PushFont(fonts().mono);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    ImGui::PushStyleColor(ImGuiCol_Text, 0);  // invisible: the view draws the coloured text
    ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
    if (std::exchange(focus_wanted_, false)) ImGui::SetKeyboardFocusHere();
    constexpr ImGuiInputTextFlags flags = ImGuiInputTextFlags_AllowTabInput |
                                          ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_NoUndoRedo;
    const std::string before = replaced_ ? draft_ : std::string();
    const bool edited =
        ImGui::InputTextMultiline("##text", &draft_, ImVec2(area.width, area.height), flags, on_event, this);
    if (edited && (before.empty() || draft_ != before)) {
        changed_ = true;
        changed_s_ = window.now_s;
    }
    name_last_item("text");
    focused_ = ImGui::IsItemActive();
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
}

bool SourceEditor::take_change(const WindowState& window, bool now) {
    if (!changed_ || (!now && window.now_s - changed_s_ < pause_s)) return false;
    changed_ = false;
    return true;
}

bool SourceEditor::shows_caret(const WindowState& window) const {
    const bool blinks = !window.still && ImGui::GetIO().ConfigInputTextCursorBlink;
    return focused_ && (!blinks || std::fmod(window.now_s, 1.0) < 0.6);
}

bool SourceEditor::take_caret_move() {
    return std::exchange(caret_moved_, false);
}

}  // namespace lanescope::ui
