#include "ui/kit/imgui_layer.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

#include "ui/kit/backend.h"
#include "ui/kit/frame_check.h"
#include "ui/kit/frame_outline.h"
#include "ui/kit/frame_text.h"
#include "ui/kit/theme.h"

namespace lanescope::ui {
namespace {

void clear(ImU32 colour) {
    const ImVec4 channels = ImGui::ColorConvertU32ToFloat4(colour);
    glClearColor(channels.x, channels.y, channels.z, channels.w);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

ImGuiLayer::ImGuiLayer(GLFWwindow* window) : window_(window) {
    IMGUI_CHECKVERSION();
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);  // CreateContext() leaves an earlier one current
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
    if (window_) connect(window_);
    ImGui_ImplOpenGL3_Init(shader_version());
}

ImGuiLayer::~ImGuiLayer() {
    ImGuiContext* const other = ImGui::GetCurrentContext();
    ImGui::SetCurrentContext(context_);
    log_.reset();  // it belongs to the context
    ImGui_ImplOpenGL3_Shutdown();
    if (window_) disconnect();
    ImGui::DestroyContext();
    if (other != context_) ImGui::SetCurrentContext(other);
}

void ImGuiLayer::resume() {
    ImGui::SetCurrentContext(context_);
    if (scale_ > 0) use_fonts(fonts_);
}

const std::string& ImGuiLayer::set_scale(float scale) {
    resume();
    if (scale == scale_) return note_;
    scale_ = scale;
    note_ = load_theme(scale);
    fonts_ = fonts();
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
    return note_;
}

// Dear ImGui before 1.87 has arrays of states, later versions have events.
void ImGuiLayer::listen(const SyntheticInput& hand) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
    io.MousePos = ImVec2(hand.x, hand.y);
    io.MouseDown[0] = hand.left;
    io.MouseDown[1] = hand.right;
    io.MouseWheel += hand.wheel;
    const auto set = [&io](ImGuiKey key, bool down) {
        io.KeyMap[key] = key;
        io.KeysDown[key] = down;
    };
#else
    io.AddMousePosEvent(hand.x, hand.y);
    io.AddMouseButtonEvent(0, hand.left);
    io.AddMouseButtonEvent(1, hand.right);
    io.AddMouseWheelEvent(0, hand.wheel);
    const auto set = [&io](ImGuiKey key, bool down) { io.AddKeyEvent(key, down); };
#endif
    for (const ImGuiKey key : held_)
        set(key, false);
    for (const ImGuiKey key : hand.keys)
        set(key, true);
    held_ = hand.keys;
    io.AddInputCharactersUTF8(hand.typed.c_str());
}

void ImGuiLayer::begin(render::Extent size, double seconds, const SyntheticInput* hand) {
    size_ = size;
    ImGui_ImplOpenGL3_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    if (window_) {
        begin_window_frame();
    } else {
        if (hand)
            listen(*hand);
        else
            io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
        io.DeltaTime = float(std::max(seconds, 1e-4));
    }
    // The layout uses pixels of the framebuffer, but the mouse comes in screen coordinates.
    if (window_ && io.DisplaySize.x > 0 && size.width != int(io.DisplaySize.x) && io.MousePos.x > -FLT_MAX) {
        io.MousePos.x *= float(size.width) / io.DisplaySize.x;
        io.MousePos.y *= float(size.height) / io.DisplaySize.y;
    }
    io.DisplaySize = ImVec2(float(size.width), float(size.height));
    io.DisplayFramebufferScale = ImVec2(1, 1);
    if (log_) log_->clear();
    ImGui::GetStyle().AntiAliasedLines = ImGui::GetStyle().AntiAliasedFill = !sharp_;
    ImGui::NewFrame();
}

std::string ImGuiLayer::description() const {
    return frame_text(read_frame(*ImGui::GetDrawData())) + widget_text(log_->places());
}

std::string ImGuiLayer::outline() const {
    return frame_outline(read_frame(*ImGui::GetDrawData()), *log_);
}

std::vector<std::string> ImGuiLayer::problems() const {
    return frame_problems(read_frame(*ImGui::GetDrawData()), *log_);
}

void ImGuiLayer::end(ImU32 background, std::span<const Surface> surfaces) {
    ImGui::Render();
    if (sharp_) surfaces_.assign(surfaces.begin(), surfaces.end());
    glViewport(0, 0, size_.width, size_.height);
    clear(background);
    glEnable(GL_SCISSOR_TEST);
    for (const Surface& surface : surfaces) {
        const auto x = int(surface.rect.x), top = int(surface.rect.y), bottom = int(surface.rect.bottom());
        glScissor(x, size_.height - bottom, int(surface.rect.right()) - x, bottom - top);
        clear(surface.colour);
    }
    glDisable(GL_SCISSOR_TEST);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace lanescope::ui
