// The second window of a lecture, for the projector: what the lecturer's window says, drawn for its own size.
#pragma once

#include <memory>
#include <optional>

#include "render/framebuffer.h"
#include "render/window.h"
#include "ui/window/app.h"

namespace lanescope::ui {

class Audience {
  public:
    // `session` and `lecturer` outlive it. Errors: those of render::Window::open_beside().
    static Result<Audience> open(session::Session& session, const render::Window& lecturer);

    // Draws the lecture as `window` says it, in the lecturer's OpenGL context, and shows it. `hand`: the
    // mouse over the lecturer's picture of it. Returns whether another frame is needed. Errors: a framebuffer
    // that the driver refuses.
    Result<bool> frame(const WindowState& window, double now_s, const std::optional<SyntheticInput>& hand);
    AudiencePicture picture() const;
    bool should_close() const { return window_.should_close(); }
    GLFWwindow* handle() const { return window_.handle(); }

  private:
    Audience(render::Window window, const render::Window& lecturer, std::unique_ptr<App> app)
        : window_(std::move(window)), lecturer_(&lecturer), app_(std::move(app)) {}

    render::Window window_;
    const render::Window* lecturer_;
    std::unique_ptr<App> app_;
    std::optional<render::Framebuffer> target_;
};

}  // namespace lanescope::ui
