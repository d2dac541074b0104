#include "commands/window_start.h"

#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/folders.h"
#include "commands/options/command.h"
#include "execution/run/named_schedule.h"
#include "execution/run/opened_trace.h"
#include "image/decode.h"
#include "lesson/course/registry.h"
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

Result<ui::WindowStart> start_of(const ShownOptions& command, const fs::path& image) {
    ui::WindowStart start;
    start.image = image;
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

}  // namespace

Result<PreparedWindow> prepare_window(ShownOptions options, std::optional<session::OpenedProgram> program,
                                      const session::ProgramRequest& how, bool no_host_code) {
    const Result<fs::path> kept = ui::settings_file(), state = state_folder();
    ui::Settings settings = kept ? ui::load_settings(*kept) : ui::Settings();
    forget_recordings(settings);
    const bool named = !options.run.file.empty();
    PreparedWindow made;
    fs::path image;
    if (is_image(kind_of(options.run.file))) {
        if (const Result<image::Image> there = image::load(options.run.file); !there)
            return there.diagnostics();
        image = std::exchange(options.run.file, std::string());
    }
    const auto registry = lessons();
    std::cerr << to_text(registry->own_problems);  // the list of lessons shows them too
    std::vector<session::FileMemory> recent = settings.recent;
    if (options.run.file.empty()) {
        const session::FileMemory begin = place_to_begin_with(settings, *registry);
        options.run.file = begin.path.string();
        if (recent.empty() && !begin.path.empty()) recent.push_back(begin);
    }
    made.session = std::make_unique<session::Session>(registry);
    session::Session& shown = *made.session;
    shown.restore({std::move(recent), settings.marks, state ? *state / "drafts" : fs::path(),
                   state ? *state / "progress.json" : fs::path()});
    if (no_host_code) shown.forbid_host_code();
    const bool is_program = program.has_value();
    if (is_program) shown.set_program(std::move(*program), how);
    if (options.theme.empty()) ui::set_theme(settings.brightness);
    Result<ui::WindowStart> start = start_of(options, image);
    if (!start) return start.diagnostics();
    made.start = std::move(*start);
    if (is_program) made.start.on_gpu = false;  // the engine is the program's, not that of kernels alone
    made.start.page = !named && settings.recent.empty();  // the first start
    if (is_program)
        shown.apply(session::OpenFile{whole_path(options.run.file)});
    else if (const Result<void> done = open(shown, options.run); !done)
        return done.diagnostics();
    return made;
}

}  // namespace lanescope
