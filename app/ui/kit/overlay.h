// A panel that floats over the others.
#pragma once

#include "ui/kit/view.h"

namespace lanescope::ui {

// Call ImGui::End() after it.
void begin_overlay(const char* id, const Rect& box, const WindowState& window,
                   ImGuiWindowFlags more = ImGuiWindowFlags_NoNav);
// In the middle of the window, no larger than it.
Rect centred(float width, float height);
// Whether a click in this frame went elsewhere.
bool clicked_outside(const Rect& box, const WindowState& window);

}  // namespace lanescope::ui
