// The program in a worker of the page. The page calls the exported functions below with its events;
// everything here runs on the worker's one thread, between two of its messages.
#include <emscripten.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/folders.h"
#include "base/language.h"
#include "base/text.h"
#include "commands/export_command.h"
#include "commands/options/command.h"
#include "commands/render_command.h"
#include "commands/run_command.h"
#include "commands/window_start.h"
#include "inner_program.h"
#include "ui/state/link.h"
#include "ui/window/app.h"
#include "ui/window/settings.h"
#include "ui/window/window_start.h"

// clang-format off
EM_JS(void, lanescope_copy, (const char* text), { Module.tell({ copied: UTF8ToString(text) }); });
EM_JS(void, lanescope_title, (const char* text), { Module.tell({ title: UTF8ToString(text) }); });
EM_JS(void, lanescope_link, (const char* text), { Module.tell({ link: UTF8ToString(text) }); });
EM_JS(void, lanescope_look, (int cursor, int typing), { Module.tell({ cursor: cursor, typing: typing !== 0 }); });
EM_JS(void, lanescope_pick, (), { Module.tell({ pick: true }); });
EM_JS(void, lanescope_fullscreen, (), { Module.tell({ fullscreen: true }); });
EM_JS(void, lanescope_keep, (), { Module.keep(); });
// clang-format on

namespace lanescope {

namespace {

constexpr float phone_px = 600;  // of CSS
constexpr double idle_s =
    8;  // after an event, until the picture stands for good: notices and tours end in that time
constexpr double keep_s = 1;  // between two looks at what is to be kept

struct Options {
    ShownOptions shown;
    RunCommand run;
    RenderOptions render, exported;
    ExportOptions exporting;
    std::string language;
};

class Program {
  public:
    explicit Program(PreparedWindow made) : session_(std::move(made.session)), start_(std::move(made.start)) {
        const Result<std::filesystem::path> file = ui::settings_file();
        if (file) file_ = *file;
        settings_ = ui::load_settings(file_);
        app_ = std::make_unique<ui::App>(*session_, nullptr);
        ui::take_over(settings_, *app_, *session_);
        if (start_.page) app_->window().page = true;
        tour_ = start_.tour && start_.image.empty() && !start_.shown;
        if (tour_ && !settings_.tour_seen) ui::start_tour(app_->window());
        if (const Result<void> begun = ui::begin(start_, *app_, *session_); !begun) tell(begun.diagnostics());
        shown_ = !start_.shown;
        ImGuiIO& io = ImGui::GetIO();
        io.SetClipboardTextFn = [](void*, const char* text) { lanescope_copy(text); };
        io.GetClipboardTextFn = [](void*) { return clipboard().c_str(); };
        hand_.x = hand_.y = -1;
    }

    // Returns whether another frame follows at once; else when: in a while (2), or not before an event (0).
    int frame(double now_s) {
        if (input_.now_s == 0) last_event_s_ = now_s;
        input_.now_s = now_s;
        input_.hand = &hand_;
        if (events_) last_event_s_ = now_s, left_ = 3;
        events_ = false;
        if (!shown_ && session_->run() != nullptr && !session_->runner().busy()) {
            shown_ = true;
            if (const Result<void> done = ui::show_start(start_, *app_, *session_); !done)
                tell(done.diagnostics());
            if (phone_) fit_phone();
            left_ = 3;
        }
        const ui::FrameOutput output = app_->frame(input_);
        input_.keys.clear();
        hand_.typed.clear();
        hand_.wheel = 0;
        std::swap(hand_.keys, next_keys_);
        next_keys_.clear();
        if (!hand_.keys.empty() || output.wants_next || !shown_) left_ = 3;
        refuse_second_window();
        pass_on_wishes();
        if (output.toggle_fullscreen) lanescope_fullscreen();
        say(now_s);
        if (left_ > 0) --left_;
        return left_ > 0 ? 1 : now_s - last_event_s_ < idle_s ? 2 : 0;
    }

    void resize(int width, int height, float scale) {
        input_.pixels = {width, height};
        input_.content_scale = scale;
        const bool phone = float(width) < phone_px * scale;
        if (phone != std::exchange(phone_, phone)) fit_phone();
        events_ = true;
    }
    void move(float x, float y, int buttons) {
        hand_.x = x;
        hand_.y = y;
        hand_.left = (buttons & 1) != 0;
        hand_.right = (buttons & 2) != 0;
        events_ = true;
    }
    void wheel(float notches) {
        hand_.wheel += notches;
        events_ = true;
    }
    void press(const ui::KeyPress& press) {
        input_.keys.push_back(press);
        events_ = true;
    }
    void type(const std::string& text) {
        hand_.typed += text;
        events_ = true;
    }
    void hold(std::vector<ImGuiKey> keys) {
        (hand_.keys.empty() ? hand_.keys : next_keys_) = std::move(keys);
        events_ = true;
    }
    void open(const std::filesystem::path& path) {
        if (!app_->preview().take_file(path)) session_->apply(session::OpenFile{path});
        events_ = true;
    }
    // Whether what lies at the mouse moves with a finger: a list that is longer than its panel.
    bool scrolls() const {
        const ImGuiWindow* over = ImGui::GetCurrentContext()->HoveredWindow;
        return over != nullptr && over->ScrollMax.y > 0;
    }
    void resume() {
        app_->resume();
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }
    static std::string& clipboard() {
        static std::string text;
        return text;
    }

  private:
    void tell(const Diagnostics& why) {
        app_->window().notice = {to_text(why.front()), input_.now_s + 5 * ui::notice_s};
    }

    // On a phone: the picture with the step's sentence and buttons below it, and nothing beside them.
    void fit_phone() {
        ui::WindowState& window = app_->window();
        window.lecture = phone_;
        if (phone_) {
            window.hidden.source = window.hidden.timeline = true;
        } else {
            window.hidden = settings_.hidden;
        }
    }

    void refuse_second_window() {
        ui::WindowState& window = app_->window();
        if (!window.talk.audience) return;
        window.talk.audience = false;
        window.notice = {tr("A tab has one window: open the link a second time for the projector."),
                         input_.now_s + 3 * ui::notice_s};
    }

    // Files of the disk and the clipboard are the page's.
    void pass_on_wishes() {
        ui::WindowState& window = app_->window();
        if (window.dialog == ui::Dialog::open_file) {
            window.dialog = ui::Dialog::none;
            lanescope_pick();
        }
    }

    // Tells the page what it needs: the cursor, whether a text is typed, the title, the link, what is to be
    // kept.
    void say(double now_s) {
        const int cursor = ImGui::GetMouseCursor();
        const bool typing = ImGui::GetIO().WantTextInput;
        if (cursor != cursor_ || typing != typing_) lanescope_look(cursor_ = cursor, typing_ = typing);
        if (now_s - said_s_ < keep_s && left_ > 1) return;
        said_s_ = now_s;
        if (const std::string title = ui::title_of(*session_); title != title_)
            lanescope_title((title_ = title).c_str());
        if (const std::string link = ui::link_query(*session_, app_->window()); link != link_)
            lanescope_link((link_ = link).c_str());
        if (file_.empty()) return;
        const Result<std::string> before = read_text_file(file_);
        ui::Settings now = ui::settings_of(*app_, *session_, input_.pixels, settings_.tour_seen || tour_);
        if (phone_) now.hidden = settings_.hidden;  // hidden for want of room, not by the person
        (void)ui::save_settings(now, file_);
        const Result<std::string> after = read_text_file(file_);
        if (after && (!before || *before != *after)) lanescope_keep();
    }

    std::unique_ptr<session::Session> session_;
    ui::WindowStart start_;
    ui::Settings settings_;
    std::filesystem::path file_;
    std::unique_ptr<ui::App> app_;
    ui::FrameInput input_;
    ui::SyntheticInput hand_;
    std::vector<ImGuiKey> next_keys_;
    bool tour_ = false, phone_ = false, shown_ = true, events_ = true, typing_ = false;
    int left_ = 3, cursor_ = ImGuiMouseCursor_Arrow;
    double last_event_s_ = 0, said_s_ = -10;
    std::string title_, link_;
};

std::unique_ptr<Program>& shown() {
    static std::unique_ptr<Program> only;
    return only;
}

struct KeyName {
    const char* name;  // as KeyboardEvent.key has it
    ui::Key key;
    ImGuiKey typing;  // in a text field
};
constexpr ui::Key no_key = ui::Key::character;
constexpr KeyName key_names[] = {
    {"ArrowLeft", ui::Key::left, ImGuiKey_LeftArrow},
    {"ArrowRight", ui::Key::right, ImGuiKey_RightArrow},
    {"ArrowUp", ui::Key::up, ImGuiKey_UpArrow},
    {"ArrowDown", ui::Key::down, ImGuiKey_DownArrow},
    {"PageUp", ui::Key::page_up, ImGuiKey_PageUp},
    {"PageDown", ui::Key::page_down, ImGuiKey_PageDown},
    {"Home", ui::Key::home, ImGuiKey_Home},
    {"End", ui::Key::end, ImGuiKey_End},
    {"Escape", ui::Key::escape, ImGuiKey_Escape},
    {"Tab", ui::Key::tab, ImGuiKey_Tab},
    {"Enter", ui::Key::enter, ImGuiKey_Enter},
    {"Backspace", no_key, ImGuiKey_Backspace},
    {"Delete", no_key, ImGuiKey_Delete},
};

void hear(Program& window, const std::string& name, bool shift, bool control) {
    std::vector<ImGuiKey> held;
    if (control) held.push_back(ImGuiMod_Ctrl);
    if (shift) held.push_back(ImGuiMod_Shift);
    for (const KeyName& each : key_names) {
        if (name != each.name) continue;
        if (each.key != no_key) window.press({each.key, 0, shift, control});
        held.push_back(each.typing);
        return window.hold(std::move(held));
    }
    int number = 0;
    if (name.size() > 1 && name[0] == 'F' && (number = std::atoi(name.c_str() + 1)) >= 1 && number <= 12)
        return window.press({static_cast<ui::Key>(int(ui::Key::f1) + number - 1), 0, shift, control});
    if (!control || name.size() != 1) return;
    const char letter = lower_case(name[0]);
    window.press(ui::control(static_cast<unsigned char>(letter), shift));
    if (letter < 'a' || letter > 'z') return;
    held.push_back(static_cast<ImGuiKey>(ImGuiKey_A + (letter - 'a')));
    window.hold(std::move(held));
}

int start(std::vector<std::string> arguments);

// While a frame is drawn: its state of Dear ImGui and its framebuffer come back.
int start_inside(std::vector<std::string> arguments) {
    ImGuiContext* const outer = ImGui::GetCurrentContext();
    const ui::Brightness brightness = ui::brightness();
    const int code = start(std::move(arguments));
    ImGui::SetCurrentContext(outer);
    ui::set_theme(brightness);
    shown()->resume();
    return code;
}

int open_window(const Options& options) {
    Result<PreparedWindow> made = prepare_window(options.shown);
    if (!made) return fail(made.diagnostics());
    made->start.tour = options.shown.run.file.empty();  // the tour opens a lesson of its own
    shown() = std::make_unique<Program>(std::move(*made));
    set_inner_program(start_inside);
    return fine;
}

int start(std::vector<std::string> arguments) {
    Options options;
    CLI::App app("Lanescope in a browser", "lanescope");
    options.shown.add_to(app, NeedsFile::no);
    CLI::App* run = app.add_subcommand("run");
    options.run.add_to(*run);
    CLI::App* render = app.add_subcommand("render");
    options.render.add_to(*render);
    CLI::App* exported = app.add_subcommand("export");
    add_export_to(*exported, options.exported, options.exporting);
    for (CLI::App* each : {&app, run, render, exported})
        each->add_option("--language", options.language);
    std::reverse(arguments.begin(), arguments.end());
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::ParseError& problem) {
        return app.exit(problem) == 0 ? fine : bad_input;
    }
    const Result<std::string> language = chosen_language(options.language);
    if (!language) return fail(language.diagnostics());
    set_language(*language);
    if (run->parsed()) return run_command(options.run);
    if (render->parsed()) return render_command(options.render);
    if (exported->parsed()) return export_command(options.exported, options.exporting);
    return open_window(options);
}

}  // namespace
}  // namespace lanescope

using lanescope::shown;

extern "C" {

// `query`: of the page's link; `own`: the folder of its own files. Returns the exit code; the reason is on
// standard error.
EMSCRIPTEN_KEEPALIVE int lanescope_open(const char* query, const char* own) {
    const lanescope::Result<std::vector<std::string>> options = lanescope::ui::options_of_link(query, own);
    return options ? lanescope::start(*options) : lanescope::fail(options.diagnostics());
}
EMSCRIPTEN_KEEPALIVE int lanescope_frame(double now_s) {
    return shown()->frame(now_s);
}
EMSCRIPTEN_KEEPALIVE void lanescope_resize(int width, int height, float scale) {
    shown()->resize(width, height, scale);
}
// Bits of `buttons`: 1 left, 2 right, as MouseEvent.buttons.
EMSCRIPTEN_KEEPALIVE void lanescope_mouse(float x, float y, int buttons) {
    shown()->move(x, y, buttons);
}
EMSCRIPTEN_KEEPALIVE void lanescope_wheel(float notches) {
    shown()->wheel(notches);
}
EMSCRIPTEN_KEEPALIVE void lanescope_key(const char* name, int shift, int control) {
    lanescope::hear(*shown(), name, shift != 0, control != 0);
}
// A typed character is a key for actions, and a letter for text fields.
EMSCRIPTEN_KEEPALIVE void lanescope_type(const char* text, unsigned character) {
    if (character != 0) shown()->press(lanescope::ui::typed(static_cast<char32_t>(character)));
    shown()->type(text);
}
EMSCRIPTEN_KEEPALIVE void lanescope_paste(const char* text) {
    lanescope::Program::clipboard() = text;
    lanescope::hear(*shown(), "v", false, true);
}
EMSCRIPTEN_KEEPALIVE void lanescope_show(const char* path) {
    shown()->open(path);
}
EMSCRIPTEN_KEEPALIVE int lanescope_scrolls() {
    return shown()->scrolls() ? 1 : 0;
}

int main(int argc, char** argv) {
    if (argc < 2) return 0;  // the page calls lanescope_open()
    return lanescope::start({argv + 1, argv + argc});
}
}
