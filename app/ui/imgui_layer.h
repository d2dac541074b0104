// Dear ImGui with its backends, tied to the current OpenGL context.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "render/window.h"

namespace lanescope::ui {

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
    void end();                                       // draws it into what is bound

  private:
    GLFWwindow* window_;
    float scale_ = 0;
    std::string note_;
};

}  // namespace lanescope::ui
