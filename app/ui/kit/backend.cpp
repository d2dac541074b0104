#include "ui/kit/backend.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>

namespace lanescope::ui {

const char* shader_version() {
    return "#version 450 core";
}

void connect(GLFWwindow* window) {
    ImGui_ImplGlfw_InitForOpenGL(window, true);
}

void disconnect() {
    ImGui_ImplGlfw_Shutdown();
}

void begin_window_frame() {
    ImGui_ImplGlfw_NewFrame();
}

}  // namespace lanescope::ui
