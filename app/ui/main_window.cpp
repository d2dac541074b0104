#include "ui/main_window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/window.h"
#include "ui/app.h"
#include "ui/settings.h"

namespace lanescope::ui {
namespace {

constexpr double idle_wait_s = 0.1;    // how late an edit on disk or the end of a job may be seen
constexpr int frames_after_input = 3;  // hover and layout settle after an event

// What came in since the last frame. GLFW hands it to plain functions, through the window's user pointer.
struct Inbox {
    std::vector<KeyPress> keys;
    std::vector<std::filesystem::path> dropped;
    std::vector<int> codes;  // GLFW's, of the keys that went down
    bool any = false;
};

Inbox& inbox_of(GLFWwindow* window) {
    return *static_cast<Inbox*>(glfwGetWindowUserPointer(window));
}

std::optional<Key> named_key(int code) {
    switch (code) {
        case GLFW_KEY_LEFT:
            return Key::left;
        case GLFW_KEY_RIGHT:
            return Key::right;
        case GLFW_KEY_UP:
            return Key::up;
        case GLFW_KEY_DOWN:
            return Key::down;
        case GLFW_KEY_PAGE_UP:
            return Key::page_up;
        case GLFW_KEY_PAGE_DOWN:
            return Key::page_down;
        case GLFW_KEY_HOME:
            return Key::home;
        case GLFW_KEY_END:
            return Key::end;
        case GLFW_KEY_ESCAPE:
            return Key::escape;
        case GLFW_KEY_F11:
            return Key::f11;
        default:
            return std::nullopt;
    }
}

std::optional<Key> typed_key(unsigned character) {
    switch (character) {
        case ' ':
            return Key::space;
        case '+':
            return Key::plus;
        case '-':
            return Key::minus;
        case '0':
            return Key::zero;
        case '?':
            return Key::question;
        case 'l':
        case 'L':
            return Key::lecture;
        case 'e':
        case 'E':
            return Key::edit;
        case 'm':
        case 'M':
            return Key::threads;
        case 'g':
        case 'G':
            return Key::engine;
        case 's':
        case 'S':
            return Key::multiprocessors;
        case 't':
        case 'T':
            return Key::schedules;
        case 'b':
        case 'B':
            return Key::timings;
        default:
            return std::nullopt;
    }
}

void listen(GLFWwindow* window, Inbox& inbox) {
    glfwSetWindowUserPointer(window, &inbox);
    glfwSetKeyCallback(window, [](GLFWwindow* from, int code, int, int action, int modifiers) {
        inbox_of(from).any = true;
        if (action == GLFW_RELEASE) return;
        inbox_of(from).codes.push_back(code);
        if (const auto key = named_key(code))
            inbox_of(from).keys.push_back({*key, (modifiers & GLFW_MOD_SHIFT) != 0});
    });
    glfwSetCharCallback(window, [](GLFWwindow* from, unsigned character) {
        inbox_of(from).any = true;
        if (const auto key = typed_key(character)) inbox_of(from).keys.push_back({*key, false});
    });
    glfwSetDropCallback(window, [](GLFWwindow* from, int count, const char** paths) {
        inbox_of(from).any = true;
        for (int i = 0; i < count; ++i)
            inbox_of(from).dropped.emplace_back(paths[i]);
    });
    glfwSetCursorPosCallback(window, [](GLFWwindow* from, double, double) { inbox_of(from).any = true; });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* from, int, int, int) { inbox_of(from).any = true; });
    glfwSetScrollCallback(window, [](GLFWwindow* from, double, double) { inbox_of(from).any = true; });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* from, int, int) { inbox_of(from).any = true; });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* from) { inbox_of(from).any = true; });
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Dear ImGui before 1.87 sees a key only while it is down when a frame begins: one that was let go since the
// last frame is held for this frame. Returns what is to be let go after it.
std::vector<int> hold_short_presses([[maybe_unused]] std::vector<int> codes) {
    std::vector<int> held;
#if IMGUI_VERSION_NUM < 18700
    ImGuiIO& io = ImGui::GetIO();
    for (const int code : codes) {
        if (code < 0 || code >= IM_ARRAYSIZE(io.KeysDown) || io.KeysDown[code]) continue;
        io.KeysDown[code] = true;
        held.push_back(code);
    }
#endif
    return held;
}

void let_go([[maybe_unused]] const std::vector<int>& codes) {
#if IMGUI_VERSION_NUM < 18700
    for (const int code : codes)
        ImGui::GetIO().KeysDown[code] = false;
#endif
}

void draw(render::Window& window, App& app, FrameInput& input, FrameOutput& output) {
    input.pixels = window.pixels();
    input.content_scale = window.content_scale();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    output = app.frame(input);
    window.show();
}

void take_over(const Settings& settings, App& app, session::Session& session) {
    app.shared().zoom = settings.zoom;
    app.splits() = settings.splits;
    session.apply(session::SetSpeed{settings.steps_per_second});
    session.apply(session::SetGranularity{settings.granularity});
}

// That the settings cannot be kept is no reason to complain when the person leaves.
void keep(App& app, const session::Session& session, const render::Window& window,
          const std::filesystem::path& file) {
    const render::Extent size = window.windowed_size();
    (void)save_settings(
        {size.width, size.height, app.shared().zoom, app.splits(), session.speed(), session.granularity()},
        file);
}

}  // namespace

Result<void> run_window(session::Session& session) {
    const auto file = settings_file();
    const Settings settings = file ? load_settings(*file) : Settings();
    auto window = render::Window::open("Lanescope", {settings.width, settings.height});
    if (!window) return window.diagnostics();
    Inbox inbox;
    listen(window->handle(), inbox);
    App app(session, window->handle());  // after listen: Dear ImGui passes events on to those who came before
    take_over(settings, app, session);
    const auto start = std::chrono::steady_clock::now();
    FrameInput input;
    FrameOutput output;
    int frames_wanted = frames_after_input;
    while (!window->should_close()) {
        if (frames_wanted > 0 || output.wants_next)
            glfwPollEvents();
        else
            glfwWaitEventsTimeout(idle_wait_s);
        if (std::exchange(inbox.any, false)) frames_wanted = frames_after_input;
        input.keys = std::exchange(inbox.keys, {});
        for (const std::filesystem::path& path : std::exchange(inbox.dropped, {}))
            session.apply(session::OpenFile{path});
        input.now_s = seconds_since(start);
        const render::Extent size = window->pixels();
        if (window->minimised() || size.width < 1 || size.height < 1) {
            session.update(input.now_s);
            glfwWaitEventsTimeout(idle_wait_s);
            continue;
        }
        const std::vector<int> held = hold_short_presses(std::exchange(inbox.codes, {}));
        draw(*window, app, input, output);
        let_go(held);
        if (output.toggle_fullscreen) window->toggle_fullscreen();
        --frames_wanted;
    }
    if (file) keep(app, session, *window, *file);
    return {};
}

}  // namespace lanescope::ui
