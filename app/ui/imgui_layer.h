// Dear ImGui with its backends, tied to the current OpenGL context.
#pragma once

#include <span>
#include <string>

#include "render/window.h"
#include "ui/view.h"

namespace lanescope::ui {

struct Surface {
    Rect rect;
    ImU32 colour = 0;
};

class ImGuiLayer {
  public:
    // `window` is null for headless drawing: then there is no mouse and no keyboard.
    explicit ImGuiLayer(GLFWwindow* window);
    ~ImGuiLayer();
    ImGuiLayer(const ImGuiLayer&) = delete;
    ImGuiLayer& operator=(const ImGuiLayer&) = delete;

    // Fonts and sizes at this scale; a no-op when they are there already. Returns load_theme's note.
    const std::string& set_scale(float scale);
    void begin(render::Extent size, double seconds);  // a frame, `seconds` after the last one
    // Draws the frame into what is bound. The surfaces below it are cleared, not drawn: that costs software
    // drivers far less than filling as many pixels with triangles.
    void end(ImU32 background, std::span<const Surface> surfaces);

  private:
    GLFWwindow* window_;
    render::Extent size_;
    float scale_ = 0;
    std::string note_;
};

}  // namespace lanescope::ui
