// Draws pictures of the window's contents without a window, all with one OpenGL context.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "image/gif.h"
#include "ui/window/picture.h"

namespace lanescope::ui {

class HeadlessRenderer {
  public:
    // `session` must outlive the renderer. Errors: those of draw_picture().
    static Result<HeadlessRenderer> open(session::Session& session, const PictureRequest& request);
    HeadlessRenderer(HeadlessRenderer&&) noexcept;
    ~HeadlessRenderer();

    // Draws a frame of the session, which picture() then returns.
    Result<void> draw();
    // Moves the session to a step, and draws it until its layout has settled.
    Result<void> show_step(session::Session& session, std::size_t step);
    Result<image::Image> picture();
    // The same as shapes. The request must have `as_shapes`.
    Result<VectorFrame> vector_frame() const;
    // The next frames show this moment of the motion after a step; negative: the values have arrived.
    void show_motion(double at_s);
    // Returns that frame in words, and what is wrong with it. The request must have `as_text`.
    std::string outline() const;
    std::vector<std::string> problems() const;
    // The next frames are drawn in this size and theme, and with this zoom of the person's.
    void show_as(render::Extent size, Brightness brightness, float zoom);
    const std::string& device() const;  // the name of the OpenGL renderer
    const std::string& note() const;

  private:
    struct State;
    explicit HeadlessRenderer(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

struct AnimationRequest {
    std::filesystem::path path;
    std::vector<std::size_t> steps;  // from 0
    int delay_ms = 500;              // of each picture; the last one lasts four times as long
    bool motion = false;             // pictures between the steps show values on their way
    const std::atomic<bool>* cancel = nullptr;
    std::function<void(float)> progress = {};
};

// Writes steps of the session as an animated GIF or, by the name of the file, as a film. Errors: those of
// HeadlessRenderer, image::GifWriter and image::FilmWriter, and steps that do not exist.
Result<void> write_animation(session::Session& session, const PictureRequest& picture,
                             const AnimationRequest& wanted);

}  // namespace lanescope::ui
