#include "render/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

namespace lanescope::render {
namespace {

std::string& last_glfw_error() {
    static std::string message;
    return message;
}

// Keeps GLFW initialized while a window is open.
class Library {
  public:
    Library() {
        glfwSetErrorCallback([](int, const char* text) {
            last_glfw_error() = text ? text : "";
            while (last_glfw_error().ends_with(' '))
                last_glfw_error().pop_back();
        });
        ready_ = glfwInit() == GLFW_TRUE;
        ++users();
    }
    ~Library() {
        if (--users() == 0 && ready_) glfwTerminate();
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    bool ready() const { return ready_; }

  private:
    static int& users() {
        static int count = 0;
        return count;
    }

    bool ready_ = false;
};

Extent fit_to_screen(Extent size) {
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    int x = 0, y = 0, width = 0, height = 0;
    if (monitor) glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
    if (width > 0 && height > 0) return {std::min(size.width, width), std::min(size.height, height)};
    return size;
}

}  // namespace

struct Window::State {
    Library library;
    GLFWwindow* window = nullptr;
    GlDevice device;
    int x = 0, y = 0;  // before fullscreen
    Extent windowed{};
    GLuint framebuffer = 0;  // of pictures from another window

    ~State() {
        if (window) glfwDestroyWindow(window);
    }
};

static void set_hints(Visibility visibility) {
    glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, visibility == Visibility::shown ? GLFW_TRUE : GLFW_FALSE);
}

Result<Window> Window::open(const std::string& title, Extent size, Visibility visibility) {
    auto state = std::make_unique<State>();
    if (!state->library.ready() || !glfwGetPrimaryMonitor())
        return error("no display (" + (last_glfw_error().empty() ? "no monitor" : last_glfw_error()) + ")");
    set_hints(visibility);
    const Extent fitted = fit_to_screen(size);
    state->window = glfwCreateWindow(fitted.width, fitted.height, title.c_str(), nullptr, nullptr);
    if (!state->window)
        return error("no OpenGL 4.5 window (" + last_glfw_error() + ")",
                     "install Mesa (libgl1-mesa-dri) for a software driver");
    glfwMakeContextCurrent(state->window);
    glfwSwapInterval(1);
    auto device = load_gl(glfwGetProcAddress, "window");
    if (!device) return device.diagnostics();
    state->device = std::move(*device);
    return Window(std::move(state));
}

// The monitor on which the window does not lie; null: there is one only.
static GLFWmonitor* other_monitor(GLFWwindow* window) {
    int count = 0, x = 0, y = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    glfwGetWindowPos(window, &x, &y);
    for (int i = 0; i < count && count > 1; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (mode && (x < left || y < top || x >= left + mode->width || y >= top + mode->height))
            return monitors[i];
    }
    return nullptr;
}

Result<Window> Window::open_beside(const std::string& title, Extent size) const {
    auto state = std::make_unique<State>();
    set_hints(Visibility::shown);
    GLFWmonitor* const monitor = other_monitor(state_->window);
    const GLFWvidmode* const mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    const Extent fitted = mode ? Extent{mode->width, mode->height} : fit_to_screen(size);
    state->window = glfwCreateWindow(fitted.width, fitted.height, title.c_str(), mode ? monitor : nullptr,
                                     state_->window);
    if (!state->window) return error("no second window (" + last_glfw_error() + ")");
    state->windowed = size;
    // A swap that waits for the screen would slow this window down.
    glfwMakeContextCurrent(state->window);
    glfwSwapInterval(0);
    glfwMakeContextCurrent(state_->window);
    return Window(std::move(state));
}

void Window::show(GLuint texture, Extent size, const Window& beside) {
    glFlush();  // what was drawn into the texture comes first
    glfwMakeContextCurrent(state_->window);
    const Extent room = pixels();
    const float scale = std::min(float(room.width) / float(std::max(size.width, 1)),
                                 float(room.height) / float(std::max(size.height, 1)));
    const int width = int(float(size.width) * scale), height = int(float(size.height) * scale);
    const int x = (room.width - width) / 2, y = (room.height - height) / 2;
    if (state_->framebuffer == 0) glCreateFramebuffers(1, &state_->framebuffer);
    glNamedFramebufferTexture(state_->framebuffer, GL_COLOR_ATTACHMENT0, texture, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBlitNamedFramebuffer(state_->framebuffer, 0, 0, 0, size.width, size.height, x, y, x + width, y + height,
                           GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glfwSwapBuffers(state_->window);
    glfwMakeContextCurrent(beside.state_->window);
}

Window::Window(std::unique_ptr<State> state) : state_(std::move(state)) {}
Window::~Window() = default;
Window::Window(Window&&) noexcept = default;
Window& Window::operator=(Window&&) noexcept = default;

GLFWwindow* Window::handle() const {
    return state_->window;
}
const GlDevice& Window::device() const {
    return state_->device;
}

Extent Window::pixels() const {
    Extent size;
    glfwGetFramebufferSize(state_->window, &size.width, &size.height);
    return size;
}

Extent Window::windowed_size() const {
    if (glfwGetWindowMonitor(state_->window)) return state_->windowed;
    Extent size;
    glfwGetWindowSize(state_->window, &size.width, &size.height);
    return size;
}

float Window::content_scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(state_->window, &x, &y);
    return std::max({x, y, 1.0f});
}

bool Window::should_close() const {
    return glfwWindowShouldClose(state_->window) != 0;
}
bool Window::minimised() const {
    return glfwGetWindowAttrib(state_->window, GLFW_ICONIFIED) != 0;
}
void Window::set_title(const std::string& title) {
    glfwSetWindowTitle(state_->window, title.c_str());
}
void Window::close() {
    glfwSetWindowShouldClose(state_->window, GLFW_TRUE);
}
void Window::show() {
    glfwSwapBuffers(state_->window);
}

void Window::toggle_fullscreen() {
    if (glfwGetWindowMonitor(state_->window)) {
        const Extent size = state_->windowed;
        glfwSetWindowMonitor(state_->window, nullptr, state_->x, state_->y, size.width, size.height,
                             GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!mode) return;
    glfwGetWindowPos(state_->window, &state_->x, &state_->y);
    glfwGetWindowSize(state_->window, &state_->windowed.width, &state_->windowed.height);
    glfwSetWindowMonitor(state_->window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

}  // namespace lanescope::render
