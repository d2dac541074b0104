#include "ui/preview/path_popup.h"

#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

PathPopup::PathPopup(const char* id, float width, const WindowState& window) : width_px_(window.px(width)) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(window.px(10), window.px(10)));
    open_ = ImGui::BeginPopup(id);
    if (open_ && key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
}

PathPopup::~PathPopup() {
    if (open_) ImGui::EndPopup();
    ImGui::PopStyleVar();
}

bool PathPopup::appears() const {
    return ImGui::IsWindowAppearing();
}

bool PathPopup::typed(const char* id, const std::string& words, TypedPath& path) {
    ImGui::TextUnformatted(words.c_str());
    ImGui::SetNextItemWidth(width_px_);
    if (appears()) ImGui::SetKeyboardFocusHere();
    const bool entered = ImGui::InputText(id, path.data(), path.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    name_last_item(id);
    return entered;
}

void PathPopup::finish(bool done) {
    if (done)
        ImGui::CloseCurrentPopup();
    else
        ImGui::SetKeyboardFocusHere(-1);
}

}  // namespace lanescope::ui
