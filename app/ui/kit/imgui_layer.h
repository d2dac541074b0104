// Dear ImGui with its backends, tied to the current OpenGL context.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "render/window.h"
#include "ui/kit/theme.h"
#include "ui/kit/view.h"
#include "ui/kit/widget_log.h"

namespace lanescope::ui {

struct Surface {
    Rect rect;
    ImU32 colour = 0;
};

// Mouse and keyboard without a window, with which tests imitate a user.
struct SyntheticInput {
    float x = 0, y = 0;  // of the mouse, px
    bool left = false, right = false;
    float wheel = 0;             // notches, away from the user
    std::string typed;           // UTF-8
    std::vector<ImGuiKey> keys;  // down in this frame, up in the next; only keys of text fields
};

class ImGuiLayer {
  public:
    // `window` is null for headless drawing, which has neither mouse nor keyboard.
    explicit ImGuiLayer(GLFWwindow* window);
    ~ImGuiLayer();
    ImGuiLayer(const ImGuiLayer&) = delete;
    ImGuiLayer& operator=(const ImGuiLayer&) = delete;

    // Loads fonts and sizes at this scale unless they are loaded. Returns load_theme's note.
    const std::string& set_scale(float scale);
    // Begins a frame, `seconds` after the last one. `hand` is the input of headless drawing; null: no input.
    void begin(render::Extent size, double seconds, const SyntheticInput* hand = nullptr);
    // Two layers can draw in turn: each has its own state of Dear ImGui and its own fonts, which are current
    // from begin() on, or from resume().
    void resume();
    // Draws the frame into the bound framebuffer. The surfaces below it are cleared, not drawn, because
    // software drivers fill pixels far more slowly with triangles.
    void end(ImU32 background, std::span<const Surface> surfaces);
    // From now on frames are drawn without smooth edges, as their shapes are read for a vector picture.
    void draw_sharp() { sharp_ = true; }
    const std::vector<Surface>& surfaces() const { return surfaces_; }  // of the last sharp frame
    // From now on a frame can be described after it has ended.
    void name_widgets() { log_ = std::make_unique<WidgetLog>(); }
    std::string description() const;            // frame_text() and widget_text()
    std::string outline() const;                // frame_outline()
    std::vector<std::string> problems() const;  // frame_problems()

  private:
    void listen(const SyntheticInput& hand);

    GLFWwindow* window_;
    ImGuiContext* context_ = nullptr;
    Fonts fonts_;
    std::vector<ImGuiKey> held_;  // keys that `hand` holds down
    render::Extent size_;
    float scale_ = 0;
    bool sharp_ = false;
    std::vector<Surface> surfaces_;
    std::string note_;
    std::unique_ptr<WidgetLog> log_;  // null if frames are not described
};

}  // namespace lanescope::ui
