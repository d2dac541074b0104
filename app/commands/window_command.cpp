#include "commands/window_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <utility>

#include "base/files.h"
#include "commands/command.h"
#include "commands/preview_command.h"
#include "commands/render_command.h"
#include "commands/run_command.h"
#include "image/decode.h"
#include "lesson/registry.h"
#include "session/run/named_schedule.h"
#include "session/session.h"
#include "trace/io.h"
#include "ui/preview/preview_page.h"
#include "ui/window/main_window.h"
#include "ui/window/settings.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

fs::path first_lesson(const lesson::Registry& registry) {
    for (const lesson::Topic& topic : registry.topics)
        if (!topic.lessons.empty()) return topic.lessons.front().path;
    return {};
}

// Without a display the window's content goes to a file, and the run's summary to the terminal.
int window_as_picture(const RunOptions& options, const Diagnostics& why) {
    std::cerr << to_text(why.front()) << "\nNo window: drawing to lanescope.png instead.\n";
    RenderOptions picture;
    picture.run = options;
    picture.output = "lanescope.png";
    if (const int code = render_command(picture); code != fine) return code;
    RunCommand run;
    run.run = options;
    if (const int code = run_command(run); code == bad_input) return code;
    std::cout << "\nlanescope.png shows " << options.file
              << ".\nOther pictures: lanescope render FILE --step N -o out.png; lanescope list names the "
                 "lessons.\n";
    return fine;
}

// What --schedule asks of the window: a schedule to run with, or all of them.
Result<session::Commands> schedule_commands(const std::string& text, const std::string& file) {
    if (text == "all") return session::Commands{session::ExploreSchedules{}};
    Result<simt::Schedule> schedule = session::find_schedule(text, file, kernels_folder());
    if (!schedule) return schedule.diagnostics();
    return session::Commands{session::SetSchedule{std::move(*schedule)}};
}

// The file that was open the last time, if it is still there; else the first lesson.
fs::path file_to_begin_with(const ui::Settings& settings, const lesson::Registry& registry) {
    std::error_code ignored;
    if (!settings.recent.empty() && fs::is_regular_file(settings.recent.front().path, ignored))
        return settings.recent.front().path;
    return first_lesson(registry);
}

// Opens `file`, and applies what --schedule asks. Errors: a file that is not there.
Result<void> open(session::Session& shown, const std::string& file, const WindowCommand& command) {
    const Result<session::Commands> asked = schedule_commands(command.schedule, file);
    if (!asked) return asked.diagnostics();
    std::error_code ignored;
    const fs::path whole = fs::absolute(file, ignored).lexically_normal();
    if (trace::is_trace_name(file)) {
        if (!fs::is_regular_file(whole, ignored)) return session::open_trace(file).diagnostics();
        shown.apply(session::OpenFile{whole});
        return {};
    }
    // A wrong name is said at once; a file with mistakes opens, and the window shows them.
    if (const Result<std::string> text = read_text_file(file); !text) return text.diagnostics();
    const bool explores = command.schedule == "all";
    if (explores) shown.apply(session::OpenFile{whole});
    for (const session::Command& each : *asked)
        shown.apply(each);
    if (!explores) shown.apply(session::OpenFile{whole});
    return {};
}

// Without a display.
int preview_as_picture(const fs::path& image, const Diagnostics& why) {
    std::cerr << to_text(why.front()) << "\nNo window: drawing to lanescope.png instead.\n";
    PreviewPicture picture;
    picture.image = image.string();
    picture.output = "lanescope.png";
    return render_preview(picture);
}

}  // namespace

void WindowCommand::add_to(CLI::App& app) {
    app.add_option("FILE", file, "a .cu file, a saved .trace or an image to open");
    app.add_option("--schedule", schedule, "who goes next, as of 'run'; all: tries every schedule")
        ->capture_default_str();
    app.add_flag("--no-tour", no_tour, "do not offer the guided tour of the window");
}

int window_command(const WindowCommand& command) {
    const Result<fs::path> kept = ui::settings_file(), state = state_folder();
    const ui::Settings settings = kept ? ui::load_settings(*kept) : ui::Settings();
    std::string file = command.file;
    fs::path image;
    if (image::is_image_name(file)) {
        if (const Result<image::Image> there = image::load(file); !there) return fail(there.diagnostics());
        image = std::exchange(file, std::string());
    }
    const auto registry = std::make_shared<const lesson::Registry>(lesson::load_registry(kernels_folder()));
    if (file.empty()) file = file_to_begin_with(settings, *registry).string();
    session::Session shown(registry);
    shown.restore({settings.recent, settings.marks, state ? *state / "drafts" : fs::path()});
    if (const Result<void> opened = open(shown, file, command); !opened) return fail(opened.diagnostics());
    const Result<void> closed = ui::run_window(shown, !command.no_tour, image);
    if (closed) return fine;
    if (!image.empty()) return preview_as_picture(image, closed.diagnostics());
    RunOptions options;
    options.file = file;
    options.schedule = command.schedule;
    return window_as_picture(options, closed.diagnostics());
}

}  // namespace lanescope
