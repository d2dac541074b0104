// What Dear ImGui needs of the platform: events of a window, and the version of its shaders.
#pragma once

struct GLFWwindow;

namespace lanescope::ui {

const char* shader_version();
// The window's events go to the current context, after its earlier callbacks.
void connect(GLFWwindow* window);
void disconnect();
void begin_window_frame();

}  // namespace lanescope::ui
