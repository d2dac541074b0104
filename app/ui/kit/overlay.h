// A panel that floats over the others.
#pragma once

#include "ui/kit/view.h"

namespace lanescope::ui {

// Begins the panel; call ImGui::End() after its content.
void begin_overlay(const char* id, const Rect& box, const WindowState& window,
                   ImGuiWindowFlags more = ImGuiWindowFlags_NoNav);
// Returns a box in the middle of the window, not larger than the window.
Rect centred(float width, float height);
// Returns whether a click in this frame was outside the box.
bool clicked_outside(const Rect& box, const WindowState& window);

}  // namespace lanescope::ui
