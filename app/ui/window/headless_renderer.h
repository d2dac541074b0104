// Pictures of the window without a window, one after the other with one OpenGL context.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>

#include "image/gif.h"
#include "ui/window/picture.h"

namespace lanescope::ui {

class HeadlessRenderer {
  public:
    // `session` outlives it. Errors: those of draw_picture().
    static Result<HeadlessRenderer> open(session::Session& session, const PictureRequest& request);
    HeadlessRenderer(HeadlessRenderer&&) noexcept;
    ~HeadlessRenderer();

    // A frame of the session as it is; its picture is in picture().
    Result<void> draw();
    Result<image::Image> picture();
    // That frame as text: see App::description(). The request must ask for it.
    std::string description() const;
    const std::string& device() const;  // what draws
    const std::string& note() const;

  private:
    struct State;
    explicit HeadlessRenderer(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

struct AnimationRequest {
    std::filesystem::path path;
    std::size_t first_step = 0, last_step = 0;
    int delay_ms = 500;  // that each picture stands; the last one stands four times as long
    const std::atomic<bool>* cancel = nullptr;
    std::function<void(float)> progress = {};
};

// Steps of the session as an animated GIF. Errors: those of Studio and image::GifWriter, steps that do not
// exist.
Result<void> write_animation(session::Session& session, const PictureRequest& picture,
                             const AnimationRequest& wanted);

}  // namespace lanescope::ui
