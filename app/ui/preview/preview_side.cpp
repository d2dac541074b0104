#include "ui/preview/preview_side.h"

#include <algorithm>

#include "ui/kit/widgets.h"

namespace lanescope::ui {

void PreviewSide::scroll(const Rect& inside, const WindowState& window) {
    if (hovered(inside, window)) scroll_ -= ImGui::GetIO().MouseWheel * window.px(60);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(used_ - inside.height, 0.0f));
}

void PreviewSide::content(const Rect& inside, const ViewContext& view) {
    scroll(inside, view.window);
    SideColumn column({inside.x, inside.y - scroll_, inside.width, inside.height + scroll_}, view.window);
    const float top = column.left().y;
    image_.draw(column);
    mask_.draw(column);
    if (model_.image() != nullptr) {
        pixel_.draw(column);
        result_.draw(column);
    }
    used_ = column.left().y - top;
    scroll_mark(inside, view.window);
}

void PreviewSide::scroll_mark(const Rect& inside, const WindowState& window) const {
    if (used_ <= inside.height) return;
    const float length = inside.height * inside.height / used_;
    const float y = inside.y + (inside.height - length) * scroll_ / (used_ - inside.height);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(inside.right() - window.px(5), y),
                                              ImVec2(inside.right() - window.px(1), y + length),
                                              faded(theme().text_quiet, 0.6f), window.px(2));
}

}  // namespace lanescope::ui
