#include "ui/preview/preview_side.h"

#include <algorithm>

#include "ui/kit/widgets.h"

namespace lanescope::ui {

void PreviewSide::scroll(const Rect& inside, const WindowState& shared) {
    if (hovered(inside, shared)) scroll_ -= ImGui::GetIO().MouseWheel * shared.px(60);
    scroll_ = std::clamp(scroll_, 0.0f, std::max(used_ - inside.height, 0.0f));
}

void PreviewSide::content(const Rect& inside, const session::Session&, const WindowState& shared, Requests&) {
    scroll(inside, shared);
    SideColumn column({inside.x, inside.y - scroll_, inside.width, inside.height + scroll_}, shared);
    const float top = column.left().y;
    image_.draw(column);
    mask_.draw(column);
    if (model_.image() != nullptr) {
        pixel_.draw(column);
        result_.draw(column);
    }
    used_ = column.left().y - top;
    scroll_mark(inside, shared);
}

void PreviewSide::scroll_mark(const Rect& inside, const WindowState& shared) const {
    if (used_ <= inside.height) return;
    const float length = inside.height * inside.height / used_;
    const float y = inside.y + (inside.height - length) * scroll_ / (used_ - inside.height);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(inside.right() - shared.px(5), y),
                                              ImVec2(inside.right() - shared.px(1), y + length),
                                              faded(theme().text_quiet, 0.6f), shared.px(2));
}

}  // namespace lanescope::ui
