// The window on the user's screen with its OpenGL context, through GLFW.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "render/gl.h"

struct GLFWwindow;

namespace lanescope::render {

struct Extent {
    int width = 0, height = 0;
};

enum class Visibility { shown, hidden };

class Window {
  public:
    // Opens a window of `size` screen coordinates or, if that is smaller, of the screen's size. Errors: no
    // display; no OpenGL 4.5.
    static Result<Window> open(const std::string& title, Extent size,
                               Visibility visibility = Visibility::shown);
    // Opens a window that shows pictures which are drawn in this one: on another screen, as large as it is,
    // where there is one. This window's context stays current. Errors: as open().
    Result<Window> open_beside(const std::string& title, Extent size) const;
    // Shows a texture of the window beside which this one was opened, as large as it fits; its first row is
    // the lowest. The other window's context stays current.
    void show(GLuint texture, Extent size, const Window& beside);
    ~Window();
    Window(Window&&) noexcept;
    Window& operator=(Window&&) noexcept;

    GLFWwindow* handle() const;
    const GlDevice& device() const;
    Extent pixels() const;         // of the framebuffer
    Extent windowed_size() const;  // in screen coordinates, outside fullscreen
    float content_scale() const;   // of the monitor: 2 on a HiDPI screen
    bool should_close() const;
    bool minimised() const;
    void set_title(const std::string& title);
    void toggle_fullscreen();
    void close();  // should_close() is then true
    void show();   // shows the drawn picture; waits for the screen's refresh

  private:
    struct State;
    explicit Window(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::render
