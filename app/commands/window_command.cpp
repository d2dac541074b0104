#include "commands/window_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/folders.h"
#include "commands/options/command.h"
#include "commands/preview_command.h"
#include "execution/run/named_schedule.h"
#include "execution/run/opened_trace.h"
#include "image/decode.h"
#include "lesson/course/registry.h"
#include "session/session.h"
#include "ui/window/main_window.h"
#include "ui/window/settings.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

bool has_arrays(const lesson::LessonEntry& entry) {
    const Result<std::string> text = read_text_file(entry.path);
    if (!text) return false;
    const Result<lesson::FrontMatter> front = lesson::parse_front_matter(*text, entry.path.string());
    return front && !front->buffers.empty();
}

// The first start shows the beginning of the course: its first lesson with something on the stage, at the
// step that this lesson says to look at.
session::FileMemory first_place(const lesson::Registry& registry) {
    if (registry.topics.empty()) return {};
    const std::vector<lesson::LessonEntry>& lessons = registry.topics.front().lessons;
    const auto shows = std::find_if(lessons.begin(), lessons.end(), has_arrays);
    const lesson::LessonEntry& first = shows == lessons.end() ? lessons.front() : *shows;
    return {first.path, static_cast<std::size_t>(std::max(first.look_step, 0)), {}};
}

// Recordings of launches are not files of the person; their programs are.
void forget_recordings(ui::Settings& settings) {
    const Result<fs::path> cache = cache_folder();
    if (!cache) return;
    const std::string folder = (*cache / "programs").string() + "/";
    std::erase_if(settings.recent,
                  [&](const session::FileMemory& each) { return each.path.string().starts_with(folder); });
}

// The file that was open the last time, if it is still there; else that of the first start.
session::FileMemory place_to_begin_with(const ui::Settings& settings, const lesson::Registry& registry) {
    std::error_code ignored;
    if (!settings.recent.empty() && fs::is_regular_file(settings.recent.front().path, ignored))
        return settings.recent.front();
    return first_place(registry);
}

// Whether an option says what to show of the run; then the window waits for the run and goes there.
bool says_what_to_show(const ShownOptions& asked) {
    const ShownOptions usual;
    return asked.step >= 0 || asked.phase >= 0 || asked.share >= 0 || asked.view != usual.view ||
           asked.colour != usual.colour || asked.hide_results || asked.before || asked.page ||
           asked.shown != usual.shown;
}

// Opens `file` as the options say. A wrong name or option is an error at once; a file with mistakes opens,
// and the window shows them.
Result<void> open(session::Session& shown, const RunOptions& options) {
    std::error_code ignored;
    const fs::path whole = whole_path(options.file);
    if (kind_of(options.file) == FileKind::trace) {
        if (!fs::is_regular_file(whole, ignored)) return execution::open_trace(options.file).diagnostics();
        if (says_how_to_run(options))
            return error(
                options.file + " is a saved trace, which does not run again",
                "leave out --set, --engine, --code, --schedule, the limits and what concerns the compiler");
        shown.apply(session::OpenFile{whole});
        return {};
    }
    RunOptions plain = options;
    const bool explores = options.schedule == "all";
    if (explores) plain.schedule = "rr";
    Result<execution::RunRequest> wanted = request_of(plain);
    if (!wanted) return wanted.diagnostics();
    if (says_how_to_run(options))
        shown.apply(session::OpenFile{
            whole,
            session::Settings{std::move(wanted->parameters), wanted->code, std::move(wanted->schedule), false,
                              wanted->limits, std::move(wanted->recorded_blocks), std::move(wanted->flags),
                              std::move(wanted->kernel), std::move(wanted->launch)}});
    else
        shown.apply(session::OpenFile{whole});
    if (explores) shown.apply(session::ExploreSchedules{});
    return {};
}

Result<ui::WindowStart> start_of(const WindowCommand& command, const fs::path& image) {
    ui::WindowStart start;
    start.tour = !command.no_tour;
    start.image = image;
    start.describe = command.describe;
    start.on_gpu = command.run.on_gpu();
    start.gpu = command.run.gpu;
    if (const Result<void> sound = check_gpu_option(command.run); !sound) return sound.diagnostics();
    if (command.view == "preview") {
        if (image.empty())
            return error("--view preview needs an image", "use lanescope picture.png --view preview");
        PreviewPicture picture = command.preview;
        picture.image = image.string();
        picture.gpu = command.run.on_gpu();
        auto opens = preview_of(picture);
        if (!opens) return opens.diagnostics();
        start.preview = std::move(*opens);
        return start;
    }
    Result<ui::PictureRequest> request = command.request();
    if (!request) return request.diagnostics();
    auto other = other_run(command);
    if (!other) return other.diagnostics();
    request->compared = {std::move(*other), command.share};
    if (!says_what_to_show(command)) return start;
    start.shown = std::move(*request);
    start.go_to = [command](session::Session& shown) { return go_to(shown, command); };
    return start;
}

// Says what can be done without a window. Nothing is run and no file is written.
int explain(const Diagnostics& why, const std::string& file, bool image) {
    const std::string name = file.empty() ? "FILE" : file;
    std::vector<std::pair<std::string, std::string>> ways;
    if (image) {
        ways.emplace_back("lanescope preview " + name + " -o out.png", "filter the image");
    } else {
        ways.emplace_back("lanescope run " + name, "print what a run counts and finds");
        ways.emplace_back("lanescope render " + name + " --step 1 -o out.png", "draw the window at a step");
    }
    ways.emplace_back("lanescope doctor", "check what works on this machine");
    std::size_t width = 0;
    for (const auto& [command, what] : ways)
        width = std::max(width, command.size());
    std::cerr << to_text(why.front()) << "\nThe window needs a display with OpenGL 4.5. Without one:\n";
    for (const auto& [command, what] : ways)
        std::cerr << "  " << command << std::string(width - command.size() + 3, ' ') << what << '\n';
    return no_engine;
}

}  // namespace

void WindowCommand::add_to(CLI::App& app) {
    ShownOptions::add_to(app, NeedsFile::no);
    program.add_launches_to(app);
    app.add_flag("--no-tour", no_tour, "do not offer the tour of the window");
    app.add_option("--describe", describe, "write what the window shows to this file as text, for tests")
        ->group("");
}

int window_command(const WindowCommand& command) {
    const Result<fs::path> kept = ui::settings_file(), state = state_folder();
    ui::Settings settings = kept ? ui::load_settings(*kept) : ui::Settings();
    forget_recordings(settings);
    RunOptions run = command.run;
    fs::path image;
    std::optional<session::OpenedProgram> opened;
    session::ProgramRequest how;  // the program ran
    if (!run.file.empty() && runs_as_program(run.file, command.program)) {
        ProgramOptions program = command.program;
        program.compiling = run.compiling.for_nvcc();
        how.compiling = program.compiling;
        how.arguments = program.words;
        how.check = program.check;
        program.engine = run.engine;
        if (const Result<void> engine = choose_engine(how, run.engine); !engine)
            return fail(engine.diagnostics(), run.engine == "gpu" && !how.check ? no_engine : bad_input);
        Result<session::OpenedProgram> recorded = record_first_choice(run.file, program);
        if (!recorded) return fail(recorded.diagnostics());
        opened = std::move(*recorded);
        opened->file = whole_path(run.file);
    } else if (command.program.whole || !command.program.words.empty() || !command.program.launches.empty()) {
        return fail(not_a_program(run.file));
    }
    if (is_image(kind_of(run.file))) {
        if (const Result<image::Image> there = image::load(run.file); !there)
            return fail(there.diagnostics());
        image = std::exchange(run.file, std::string());
    }
    const auto registry = lessons();
    std::cerr << to_text(registry->own_problems);  // the list of lessons shows them too
    std::vector<session::FileMemory> recent = settings.recent;
    if (run.file.empty()) {
        const session::FileMemory begin = place_to_begin_with(settings, *registry);
        run.file = begin.path.string();
        if (recent.empty() && !begin.path.empty()) recent.push_back(begin);
    }
    session::Session shown(registry);
    shown.restore({std::move(recent), settings.marks, state ? *state / "drafts" : fs::path(),
                   state ? *state / "progress.json" : fs::path()});
    if (command.program.no_host_code) shown.forbid_host_code();
    const bool program = opened.has_value();
    if (opened) shown.set_program(std::move(*opened), how);
    if (command.theme.empty()) ui::set_theme(settings.brightness);
    WindowCommand whole = command;
    whole.run = run;
    Result<ui::WindowStart> start = start_of(whole, image);
    if (!start) return fail(start.diagnostics());
    if (program) start->on_gpu = false;  // the engine is the program's, not that of kernels alone
    start->page = command.run.file.empty() && settings.recent.empty();  // the first start
    if (program)
        shown.apply(session::OpenFile{whole_path(run.file)});
    else if (const Result<void> done = open(shown, run); !done)
        return fail(done.diagnostics());
    const Result<ui::WindowEnd> ended = ui::run_window(shown, *start);
    if (!ended)
        return explain(ended.diagnostics(), image.empty() ? command.run.file : image.string(),
                       !image.empty());
    return ended->problem.empty() ? fine : fail(ended->problem);
}

}  // namespace lanescope
