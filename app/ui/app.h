// The application's window contents: one frame function for the real window and for headless pictures.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "session/session.h"
#include "ui/gpu_link.h"
#include "ui/imgui_layer.h"
#include "ui/keys.h"
#include "ui/layout.h"
#include "ui/view.h"

namespace lanescope::ui {

struct FrameInput {
    double now_s = 0;            // monotonic clock
    render::Extent pixels;       // of what is drawn into
    float content_scale = 1;     // of the monitor
    std::vector<KeyPress> keys;  // pressed since the last frame
};

struct FrameOutput {
    bool toggle_fullscreen = false;
    bool wants_next = false;  // something moves: draw the next frame at once
};

class App {
  public:
    // `window` is null for headless drawing. The OpenGL context must be current.
    App(session::Session& session, GLFWwindow* window);
    ~App();

    FrameOutput frame(const FrameInput& input);  // draws into what is bound
    Shared& shared() { return shared_; }
    Splits& splits() { return splits_; }
    session::DeviceSource& gpu() { return gpu_; }  // runs with it are drawn from the GPU's own buffer

  private:
    void begin(const FrameInput& input);
    Layout arrange_panels(const FrameInput& input) const;
    View* view_in(Panel panel) const;
    std::vector<Surface> surfaces(const Layout& layout) const;

    session::Session& session_;
    ImGuiLayer imgui_;
    Shared shared_;
    Splits splits_;
    GpuLink gpu_{shared_};
    session::Commands commands_;
    std::array<std::unique_ptr<View>, panel_count> views_;
    std::unique_ptr<View> threads_;  // takes the stage's place when its tab is chosen
    double last_frame_s_ = 0;
    double idle_at_s_ = 0;  // when no run was going on
};

}  // namespace lanescope::ui
