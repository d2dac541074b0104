#include "ui/imgui_layer.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

#include "ui/theme.h"

namespace lanescope::ui {

ImGuiLayer::ImGuiLayer(GLFWwindow* window) : window_(window) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
    if (window_) ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init("#version 450 core");
}

ImGuiLayer::~ImGuiLayer() {
    ImGui_ImplOpenGL3_Shutdown();
    if (window_) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

const std::string& ImGuiLayer::set_scale(float scale) {
    if (scale == scale_) return note_;
    scale_ = scale;
    note_ = load_theme(scale);
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
    return note_;
}

void ImGuiLayer::begin(render::Extent size, double seconds) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    if (window_) {
        ImGui_ImplGlfw_NewFrame();
    } else {
        io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
        io.DeltaTime = float(std::max(seconds, 1e-4));
    }
    // Everything is laid out in pixels of the framebuffer; the mouse comes in screen coordinates.
    if (window_ && io.DisplaySize.x > 0 && size.width != int(io.DisplaySize.x) && io.MousePos.x > -FLT_MAX) {
        io.MousePos.x *= float(size.width) / io.DisplaySize.x;
        io.MousePos.y *= float(size.height) / io.DisplaySize.y;
    }
    io.DisplaySize = ImVec2(float(size.width), float(size.height));
    io.DisplayFramebufferScale = ImVec2(1, 1);
    ImGui::NewFrame();
}

void ImGuiLayer::end() {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace lanescope::ui
