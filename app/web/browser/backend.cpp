// The page's events reach Dear ImGui as FrameInput::hand (page.h); there is no window.
#include "ui/kit/backend.h"

namespace lanescope::ui {

const char* shader_version() {
    return "#version 300 es";
}

void connect(GLFWwindow*) {}
void disconnect() {}
void begin_window_frame() {}

}  // namespace lanescope::ui
