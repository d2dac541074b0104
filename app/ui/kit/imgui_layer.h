// Dear ImGui with its backends, tied to the current OpenGL context.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "render/window.h"
#include "ui/kit/view.h"
#include "ui/kit/widget_log.h"

namespace lanescope::ui {

struct Surface {
    Rect rect;
    ImU32 colour = 0;
};

// Mouse and keyboard where there is no window: tests play a person with it.
struct SyntheticInput {
    float x = 0, y = 0;  // of the mouse, px
    bool left = false, right = false;
    float wheel = 0;             // notches, away from the person
    std::string typed;           // UTF-8
    std::vector<ImGuiKey> keys;  // that go down in this frame and up in the next: those that text fields know
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
    // A frame, `seconds` after the last one; `hand` is for headless drawing, null: no input.
    void begin(render::Extent size, double seconds, const SyntheticInput* hand = nullptr);
    // Draws the frame into what is bound. The surfaces below it are cleared, not drawn: that costs software
    // drivers far less than filling as many pixels with triangles.
    void end(ImU32 background, std::span<const Surface> surfaces);
    // From now on description() names the widgets and their places, too.
    void name_widgets() { log_ = std::make_unique<WidgetLog>(); }
    // The last frame as text: frame_text() and widget_text(). Call it after the frame ended.
    std::string description() const;

  private:
    void listen(const SyntheticInput& hand);

    GLFWwindow* window_;
    std::vector<ImGuiKey> held_;  // by the hand
    render::Extent size_;
    float scale_ = 0;
    std::string note_;
    std::unique_ptr<WidgetLog> log_;  // null: frames are not described
};

}  // namespace lanescope::ui
