#include "ui/window/main_window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/language.h"
#include "render/window.h"
#include "ui/window/app.h"
#include "ui/window/audience.h"
#include "ui/window/settings.h"

namespace lanescope::ui {
namespace {

constexpr double idle_wait_s = 0.1;  // the longest delay until an edit on disk or the end of a job is seen
constexpr int frames_to_settle = 3;  // until hover, focus and layout settle after an event or a change

// The input since the last frame. GLFW's callbacks are plain functions and find it by the window's user
// pointer.
struct Inbox {
    std::vector<KeyPress> keys;
    std::vector<std::filesystem::path> dropped;
    std::vector<int> codes;  // GLFW codes of the pressed keys
    bool any = false;
    std::size_t events = 0;  // of mouse and keyboard since the start
    void note() {
        any = true;
        ++events;
    }
};

Inbox& inbox_of(GLFWwindow* window) {
    return *static_cast<Inbox*>(glfwGetWindowUserPointer(window));
}

std::optional<Key> named_key(int code) {
    static constexpr std::pair<int, Key> keys[] = {
        {GLFW_KEY_LEFT, Key::left}, {GLFW_KEY_RIGHT, Key::right},     {GLFW_KEY_UP, Key::up},
        {GLFW_KEY_DOWN, Key::down}, {GLFW_KEY_PAGE_UP, Key::page_up}, {GLFW_KEY_PAGE_DOWN, Key::page_down},
        {GLFW_KEY_HOME, Key::home}, {GLFW_KEY_END, Key::end},         {GLFW_KEY_ESCAPE, Key::escape},
        {GLFW_KEY_TAB, Key::tab},   {GLFW_KEY_ENTER, Key::enter},     {GLFW_KEY_KP_ENTER, Key::enter},
    };
    for (const auto& [named, key] : keys)
        if (code == named) return key;
    if (code < GLFW_KEY_F1 || code > GLFW_KEY_F12) return std::nullopt;
    return static_cast<Key>(int(Key::f1) + code - GLFW_KEY_F1);
}

// With Ctrl, a letter is the one that this keyboard's layout has on the key.
std::optional<KeyPress> press_of(int code, int scancode, int modifiers) {
    const bool shift = (modifiers & GLFW_MOD_SHIFT) != 0,
               with_control = (modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0;
    if (const std::optional<Key> key = named_key(code)) return KeyPress{*key, 0, shift, with_control};
    const char* name = with_control ? glfwGetKeyName(code, scancode) : nullptr;
    if (name == nullptr) return std::nullopt;
    return control(static_cast<unsigned char>(name[0]), shift);
}

// Keys of the audience's window are the lecturer's.
void hear_keys(GLFWwindow* window, Inbox& inbox) {
    glfwSetWindowUserPointer(window, &inbox);
    glfwSetKeyCallback(window, [](GLFWwindow* from, int code, int scancode, int action, int modifiers) {
        inbox_of(from).any = true;
        if (action == GLFW_RELEASE) return;
        ++inbox_of(from).events;
        // Ctrl or Shift may be released before the next frame.
        if ((modifiers & GLFW_MOD_CONTROL) != 0) inbox_of(from).codes.push_back(GLFW_KEY_LEFT_CONTROL);
        if ((modifiers & GLFW_MOD_SHIFT) != 0) inbox_of(from).codes.push_back(GLFW_KEY_LEFT_SHIFT);
        inbox_of(from).codes.push_back(code);
        if (const auto press = press_of(code, scancode, modifiers)) inbox_of(from).keys.push_back(*press);
    });
    glfwSetCharCallback(window, [](GLFWwindow* from, unsigned character) {
        inbox_of(from).any = true;
        inbox_of(from).keys.push_back(typed(character));
    });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* from, int, int) { inbox_of(from).any = true; });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* from) { inbox_of(from).any = true; });
}

void listen(GLFWwindow* window, Inbox& inbox) {
    hear_keys(window, inbox);
    glfwSetDropCallback(window, [](GLFWwindow* from, int count, const char** paths) {
        inbox_of(from).any = true;
        for (int i = 0; i < count; ++i)
            inbox_of(from).dropped.emplace_back(paths[i]);
    });
    glfwSetCursorPosCallback(window, [](GLFWwindow* from, double, double) { inbox_of(from).note(); });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* from, int, int, int) { inbox_of(from).note(); });
    glfwSetScrollCallback(window, [](GLFWwindow* from, double, double) { inbox_of(from).note(); });
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

#if IMGUI_VERSION_NUM < 18700
void read_modifiers(ImGuiIO& io) {
    io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
    io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT];
}
#endif

// Dear ImGui before 1.87 sees a key only if it is down when a frame begins. A key that was released since the
// last frame is therefore held for this frame, and so is Ctrl or Shift. Returns the keys to release
// afterwards.
std::vector<int> hold_short_presses([[maybe_unused]] std::vector<int> codes) {
    std::vector<int> held;
#if IMGUI_VERSION_NUM < 18700
    ImGuiIO& io = ImGui::GetIO();
    for (const int code : codes) {
        if (code < 0 || code >= IM_ARRAYSIZE(io.KeysDown) || io.KeysDown[code]) continue;
        io.KeysDown[code] = true;
        held.push_back(code);
    }
    if (!held.empty()) read_modifiers(io);
#endif
    return held;
}

void let_go([[maybe_unused]] const std::vector<int>& codes) {
#if IMGUI_VERSION_NUM < 18700
    for (const int code : codes)
        ImGui::GetIO().KeysDown[code] = false;
    if (!codes.empty()) read_modifiers(ImGui::GetIO());
#endif
}

void draw(render::Window& window, App& app, FrameInput& input, FrameOutput& output) {
    input.pixels = window.pixels();
    input.content_scale = window.content_scale();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    output = app.frame(input);
    window.show();
}

// Opens, draws and closes the audience's window as the lecturer wants it.
void show_audience(std::optional<Audience>& audience, session::Session& session, const render::Window& window,
                   App& app, Inbox& inbox, double now_s, FrameOutput& output) {
    const auto close = [&](const std::string& why) {
        audience.reset();
        app.window().talk.audience = false;
        if (!why.empty()) app.window().notice = {why, now_s + 3 * notice_s};
        output.wants_next = true;
    };
    const bool wanted = app.window().lecture && app.window().talk.audience;
    if (!wanted || (audience && audience->should_close())) {
        if (audience || app.window().talk.audience) close({});
        app.show_audience({});
        app.resume();
        return;
    }
    if (!audience) {
        Result<Audience> opened = Audience::open(session, window);
        if (!opened) return close(opened.diagnostics().front().message);
        audience.emplace(std::move(*opened));
        hear_keys(audience->handle(), inbox);
        app.begin_talk(now_s);
    }
    const Result<bool> drawn = audience->frame(app.window(), now_s, app.hand_on_audience());
    app.resume();
    if (!drawn) return close(drawn.diagnostics().front().message);
    output.wants_next |= *drawn;
    app.show_audience(audience->picture());
}

// The GPU that was the engine the last time: runs go there once it is found, else stay on the CPU machine.
class RememberedGpu {
  public:
    explicit RememberedGpu(bool wanted) : state_(wanted ? State::wanted : State::done) {}

    void follow(App& app, session::Session& session, double now_s) {
        const session::LessonTimings& here = session.timings();
        const auto missing = [&](const std::string& why) {
            state_ = State::done;
            app.window().notice = {tr("The CPU machine runs, because the GPU is not there: {1}", {why}),
                                   now_s + 3 * notice_s};
        };
        if (state_ == State::wanted) {
            if (session.host_code().runs()) state_ = State::done;  // its engine is the program's
            if (session.runner().busy() || here.gpu() == session::GpuState::unknown) return;
            if (app.window().gpu.place.empty() && here.gpu() == session::GpuState::missing)
                return missing(here.no_gpu());
            state_ = State::asked;
            session.apply(session::UseGpu{true});
        } else if (state_ == State::asked && !session.runner().busy()) {
            state_ = State::done;
            const Diagnostics& problems = session.diagnostics();
            if (session.runner().on_device() || problems.empty()) return;
            missing(problems.front().message);
            session.apply(session::RunAgain{});
        }
    }

  private:
    enum class State : std::uint8_t { done, wanted, asked };
    State state_;
};

// Writes the description of the last frame for tests, whole or not at all, whenever it changes. The first
// line also has the number of mouse and keyboard events, and whether more frames follow without input.
class Reporter {
  public:
    Reporter(std::filesystem::path file, App& app) : file_(std::move(file)), app_(app) {
        app_.name_widgets();
    }

    void report(std::size_t events, bool busy) {
        std::string text =
            "events=" + std::to_string(events) + " busy=" + (busy ? "yes" : "no") + " " + app_.description();
        if (text == last_) return;
        (void)write_file(file_, text);  // a test that waits for the file reports that it is missing
        last_ = std::move(text);
    }

  private:
    std::filesystem::path file_;
    App& app_;
    std::string last_;
};

}  // namespace

Result<WindowEnd> run_window(session::Session& session, const WindowStart& wanted) {
    const auto file = settings_file();
    const Settings settings = file ? load_settings(*file) : Settings();
    auto window = render::Window::open("Lanescope", {settings.width, settings.height});
    if (!window) return window.diagnostics();
    Inbox inbox;
    listen(window->handle(), inbox);
    App app(session, window->handle());  // after listen(): Dear ImGui passes events on to earlier callbacks
    take_over(settings, app, session);
    if (wanted.page) app.window().page = true;
    const bool tour = wanted.tour && wanted.image.empty() && !wanted.shown;
    if (tour && !settings.tour_seen) start_tour(app.window());
    WindowEnd end;
    if (const Result<void> begun = begin(wanted, app, session); !begun) end.problem = begun.diagnostics();
    std::optional<Reporter> reporter;
    if (!wanted.describe.empty()) reporter.emplace(wanted.describe, app);
    bool shown = !wanted.shown;
    const auto start = std::chrono::steady_clock::now();
    FrameInput input;
    FrameOutput output;
    int frames_wanted = frames_to_settle;
    RememberedGpu remembered(settings.on_gpu && !wanted.on_gpu && wanted.image.empty() && !wanted.preview);
    std::string title;
    std::optional<Audience> audience;
    while (!window->should_close() && end.problem.empty()) {
        if (frames_wanted > 0)
            glfwPollEvents();
        else
            glfwWaitEventsTimeout(idle_wait_s);
        if (std::exchange(inbox.any, false)) frames_wanted = frames_to_settle;
        input.keys = std::exchange(inbox.keys, {});
        for (const std::filesystem::path& path : std::exchange(inbox.dropped, {}))
            if (!app.preview().take_file(path)) session.apply(session::OpenFile{path});
        input.now_s = seconds_since(start);
        const render::Extent size = window->pixels();
        if (window->minimised() || size.width < 1 || size.height < 1) {
            session.update(input.now_s);
            glfwWaitEventsTimeout(idle_wait_s);
            continue;
        }
        if (!shown && session.run() != nullptr && !session.runner().busy()) {
            shown = true;
            if (const Result<void> done = show_start(wanted, app, session); !done)
                end.problem = done.diagnostics();
            frames_wanted = frames_to_settle;
        }
        remembered.follow(app, session, input.now_s);
        const std::vector<int> held = hold_short_presses(std::exchange(inbox.codes, {}));
        draw(*window, app, input, output);
        let_go(held);
        show_audience(audience, session, *window, app, inbox, input.now_s, output);
        frames_wanted = output.wants_next ? frames_to_settle : frames_wanted - 1;
        if (reporter) reporter->report(inbox.events, frames_wanted > 0 || !shown);
        if (output.quit) glfwSetWindowShouldClose(window->handle(), GLFW_TRUE);
        if (output.toggle_fullscreen) window->toggle_fullscreen();
        if (const std::string name = title_of(session); name != title) window->set_title(title = name);
    }
    if (file)
        if (const Result<void> kept = save_settings(
                settings_of(app, session, window->windowed_size(), settings.tour_seen || tour), *file);
            !kept && end.problem.empty())
            end.problem = kept.diagnostics();
    return end;
}

}  // namespace lanescope::ui
