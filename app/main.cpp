// The command line: subcommands, exit codes, and what is wired to what.
// Exit: 0 fine; 1 an expectation failed or a problem was found; 2 bad input or usage; 3 engine not available.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "compile/compiler.h"
#include "gpu/live_gpu.h"
#include "doctor/report.h"
#include "gpu/context.h"
#include "lesson/registry.h"
#include "render/image.h"
#include "session/block_list.h"
#include "session/device_source.h"
#include "session/explore.h"
#include "session/report.h"
#include "session/run.h"
#include "session/sarif.h"
#include "session/session.h"
#include "session/time_files.h"
#include "time_command.h"
#include "trace/io.h"
#include "ui/main_window.h"
#include "ui/picture.h"

namespace {

using namespace lanescope;
namespace fs = std::filesystem;

enum Exit { fine = 0, found = 1, bad_input = 2, no_engine = 3 };

int fail(const Diagnostics& diagnostics, int code = bad_input) {
    std::cerr << to_text(diagnostics);
    return code;
}

int fail(const Diagnostic& diagnostic, int code = bad_input) {
    return fail(Diagnostics{diagnostic}, code);
}

fs::path kernels_folder() {
    return resource_folder() / "kernels";
}

bool is_trace(const fs::path& file) {
    return file.extension() == ".trace";
}

// --- Options that several subcommands share
// ---------------------------------------------------------------------

// CLI11's own checks name the largest double in their messages.
CLI::Validator from(double lowest) {
    const auto check = [lowest](std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        std::ostringstream message;
        if (*end != 0 || !(value >= lowest)) message << text << " is no number from " << lowest << " on";
        return message.str();
    };
    return {check, ""};
}

struct RunOptions {
    std::string file;
    std::vector<std::string> settings;
    std::string engine = "cpu";
    std::string code = "debug";
    std::string schedule = "rr";
    std::uint64_t max_steps = 0;
    double timeout_s = 0;
    bool no_trace = false;  // `run` alone sets these
    bool per_instruction = false;
    std::uint32_t resident = 0;
    std::string recorded;

    void add_to(CLI::App& app) {
        app.add_option("FILE", file, "a .cu file, or a saved .trace")->required();
        app.add_option("--set", settings, "set a parameter: n=1024, n=2^20")->allow_extra_args(false);
        app.add_option("--engine", engine, "what runs the kernel")
            ->check(CLI::IsMember({"cpu", "gpu"}))
            ->capture_default_str();
        app.add_option("--code", code, "how it is compiled")
            ->check(CLI::IsMember({"debug", "optimized"}))
            ->capture_default_str();
        app.add_option("--schedule", schedule,
                       "who goes next: rr, warp, seed:N, or single threads: threads:0*3,1,2.5 is three turns\n"
                       "of thread 0, one of thread 1, one of thread 5 of block 2, then all in turn; with\n"
                       "'run' also all: every outcome, with a schedule for each")
            ->capture_default_str();
        app.add_option("--max-steps", max_steps, "stop after this many warp instructions")->check(from(1));
        app.add_option("--resident", resident, "how many blocks may be resident at a time")->check(from(1));
        app.add_option("--record-blocks", recorded, "record these blocks only: 0,1,5-6");
        app.add_option("--timeout", timeout_s, "stop after this many seconds")->check(from(0.001));
    }
};

Result<session::RunRequest> request_of(const RunOptions& options) {
    session::RunRequest request;
    Result<std::string> source = read_text_file(options.file);
    if (!source) return source.diagnostics();
    request.file = options.file;
    request.source = std::move(*source);
    for (const std::string& setting : options.settings) {
        Result<std::pair<std::string, std::int64_t>> parsed = lesson::parse_setting(setting);
        if (!parsed) return parsed.diagnostics();
        request.parameters[parsed->first] = parsed->second;
    }
    request.code = options.code == "debug" ? compile::Code::debug : compile::Code::optimized;
    Result<simt::Schedule> schedule = simt::parse_schedule(options.schedule);
    if (!schedule) return schedule.diagnostics();
    request.schedule = *schedule;
    request.schedule.resident_blocks = options.resident;
    if (!options.recorded.empty()) {
        Result<std::vector<std::uint32_t>> blocks = session::parse_block_list(options.recorded);
        if (!blocks) return blocks.diagnostics();
        request.recorded_blocks = std::move(*blocks);
    }
    if (options.max_steps) request.limits.warp_instructions = options.max_steps;
    if (options.timeout_s > 0) request.limits.seconds = options.timeout_s;
    request.traced = !options.no_trace;
    return request;
}

Result<std::unique_ptr<gpu::LiveGpu>> open_gpu() {
    Result<std::unique_ptr<gpu::LiveGpu>> opened = gpu::LiveGpu::open();
    if (opened) return opened;
    Diagnostics why = opened.diagnostics();
    why.front().message = "engine 'gpu' is not available: " + why.front().message;
    return why;
}

// A run of the file, or what a saved trace holds.
Result<session::RunResult> result_of(const RunOptions& options, gpu::TraceDevice* device = nullptr) {
    if (is_trace(options.file)) {
        if (options.no_trace) return error(options.file + " is a saved trace", "--no-trace runs a .cu file");
        return session::open_trace(options.file);
    }
    Result<session::RunRequest> request = request_of(options);
    if (!request) return request.diagnostics();
    if (device == nullptr) return session::execute(*request);
    if (options.no_trace) return error("a run on the GPU is a traced one", "lanescope time FILE runs it untraced");
    if (options.schedule != "rr" || options.resident != 0)
        return error("the GPU chooses its schedule itself", "--schedule and --resident are for the CPU engine");
    request->device = device;
    return session::execute(*request);
}

int verdict(const session::RunResult& result) {
    const std::vector<std::string>& expected = result.instance.front.expected_problems;
    for (const trace::Problem& problem : result.problems) {
        // What a kernel launches wrongly is found while it runs, and has a line.
        const bool refused = problem.kind == trace::ProblemKind::launch_config && problem.first.line == 0;
        if (refused &&
            std::find(expected.begin(), expected.end(), trace::to_text(problem.kind)) == expected.end())
            return bad_input;
    }
    return result.fine() ? fine : found;
}

// --- run
// --------------------------------------------------------------------------------------------------------

// Every outcome that there can be, or those of a sample.
Result<session::Exploration> exploration_of(RunOptions options) {
    if (is_trace(options.file))
        return error(options.file + " is a saved trace; its schedule is what it is",
                     "--schedule all runs a .cu file");
    options.schedule = "rr";
    const Result<session::RunRequest> request = request_of(options);
    if (!request) return request.diagnostics();
    session::ExploreLimits limits;
    if (options.timeout_s > 0) limits.seconds = options.timeout_s;
    if (options.max_steps) limits.warp_instructions = options.max_steps;
    return session::explore(*request, limits);
}

// What belongs to a single run has no meaning for all of them; nothing that was asked for is left out silently.
Result<void> only_for_one_run(const RunOptions& options, bool steps, const std::string& save,
                              const std::string& sarif) {
    const std::pair<bool, const char*> asked[] = {{steps, "--steps"},
                                                  {!save.empty(), "--save"},
                                                  {!sarif.empty(), "--sarif"},
                                                  {options.per_instruction, "--per-instruction"},
                                                  {options.no_trace, "--no-trace"},
                                                  {!options.recorded.empty(), "--record-blocks"}};
    for (const auto& [given, name] : asked)
        if (given)
            return error(std::string(name) + " is about one run, but --schedule all makes many",
                         "run one of the schedules that it lists");
    return {};
}

int explore_command(const RunOptions& options, bool json) {
    if (options.engine == "gpu")
        return fail(error("the GPU chooses its schedule itself", "--schedule all is for the CPU engine"));
    const Result<session::Exploration> explored = exploration_of(options);
    if (!explored) return fail(explored.diagnostics());
    std::cout << (json ? session::exploration_json(*explored) : session::exploration_text(*explored));
    return explored->fine() ? fine : found;
}

int run_command(const RunOptions& options, bool json, bool steps, const std::string& save,
                const std::string& sarif = {}) {
    std::unique_ptr<gpu::LiveGpu> gpu;
    gpu::TraceDevice* device = nullptr;
    if (options.engine == "gpu" && !is_trace(options.file)) {
        Result<std::unique_ptr<gpu::LiveGpu>> opened = open_gpu();
        if (!opened) return fail(opened.diagnostics(), no_engine);
        gpu = std::move(*opened);
        const Result<gpu::TraceDevice*> ready = gpu->begin_run();
        if (!ready) return fail(ready.diagnostics(), no_engine);
        device = *ready;
    }
    if (options.schedule == "all") {
        const Result<void> possible = only_for_one_run(options, steps, save, sarif);
        return possible ? explore_command(options, json) : fail(possible.diagnostics());
    }
    const Result<session::RunResult> result = result_of(options, device);
    if (!sarif.empty()) {
        const std::string text = result ? session::report_sarif(*result, LANESCOPE_VERSION)
                                        : session::report_sarif(result.diagnostics(), LANESCOPE_VERSION);
        if (const Result<void> written = write_file(sarif, text); !written)
            return fail(written.diagnostics());
    }
    if (!result) return fail(result.diagnostics());
    for (const Diagnostic& warning : result->compiled.warnings)
        std::cerr << to_text(warning) << '\n';
    if (!save.empty() && result->trace)
        if (const Result<void> saved = trace::save(*result->trace, save); !saved)
            return fail(saved.diagnostics());
    const int code = verdict(*result);
    if (code == bad_input) {
        for (const trace::Problem& problem : result->problems) {
            const std::vector<int>& lines = result->launch_lines;
            const int line = problem.first.launch < lines.size() ? lines[problem.first.launch] : 0;
            std::cerr << to_text(error_at(options.file, line, 0, problem.message)) << '\n';
        }
        if (!json) return code;
    }
    std::cout << (json    ? session::report_json(*result, options.per_instruction)
                  : steps ? session::step_listing(*result)
                          : session::report_text(*result));
    return code;
}

// --- render
// -----------------------------------------------------------------------------------------------------

struct RenderOptions {
    RunOptions run;
    std::int64_t step = -1;
    std::int64_t phase = -1;
    std::string view = "explore";
    std::string colour = "state";
    std::string tab;
    std::string size = "1600x1000";
    std::string output;
};

Result<ui::PictureRequest> picture_of(const RenderOptions& options) {
    ui::PictureRequest picture;
    picture.lecture = options.view == "lecture";
    if (options.view == "threads") picture.stage_tab = ui::StageTab::threads;
    if (options.view == "schedule") picture.timeline_rows = ui::TimelineRows::multiprocessors;
    picture.map_colour = options.colour;
    if (options.colour != "state" && options.view != "threads")
        return error("--colour belongs to --view threads");
    const std::pair<const char*, ui::InspectorTab> tabs[] = {{"variables", ui::InspectorTab::variables},
                                                             {"access", ui::InspectorTab::access},
                                                             {"problems", ui::InspectorTab::problems},
                                                             {"timings", ui::InspectorTab::timings}};
    for (const auto& [name, tab] : tabs)
        if (options.tab == name) picture.tab = tab;
    render::Extent& size = picture.size;
    int consumed = 0;
    if (std::sscanf(options.size.c_str(), "%dx%d%n", &size.width, &size.height, &consumed) != 2 ||
        consumed != static_cast<int>(options.size.size()) || size.width < 320 || size.height < 240 ||
        size.width > 8192 || size.height > 8192)
        return error("--size " + options.size + " is not a size", "WIDTHxHEIGHT, from 320x240 to 8192x8192");
    return picture;
}

// Shows `result` in a session of its own and moves to the step or phase that was asked for.
Result<void> go_to(session::Session& shown, const RenderOptions& options) {
    if (shown.steps().empty()) return {};
    std::size_t step = 0;
    if (options.phase >= 0) {
        const auto at = std::find_if(
            shown.steps().begin(), shown.steps().end(),
            [&](const trace::Step& each) { return each.phase == static_cast<std::uint32_t>(options.phase); });
        if (at == shown.steps().end())
            return error("--phase " + std::to_string(options.phase) + " does not exist",
                         "phases 0 to " + std::to_string(shown.steps().back().phase));
        step = static_cast<std::size_t>(at - shown.steps().begin());
    } else if (options.step >= 0) {
        step = static_cast<std::size_t>(options.step);
        if (step >= shown.steps().size())
            return error("--step " + std::to_string(options.step) + " does not exist",
                         "steps 0 to " + std::to_string(shown.steps().size() - 1));
    } else if (shown.lesson() && shown.lesson()->look_step >= 0) {
        step = std::min(static_cast<std::size_t>(shown.lesson()->look_step), shown.steps().size() - 1);
    }
    shown.apply(session::SeekStep{step});
    return {};
}

// The picture's shaders read what the kernel wrote.
Result<void> run_for_picture(session::Session& shown, const RenderOptions& options, session::DeviceSource& source) {
    Result<gpu::TraceDevice*> device = source.begin_run();
    if (!device) return device.diagnostics();
    Result<session::RunResult> result = result_of(options.run, *device);
    source.end_run(result ? &*result : nullptr);
    if (!result) return result.diagnostics();
    shown.adopt(std::move(*result));
    return go_to(shown, options);
}

int render_command(const RenderOptions& options) {
    Result<ui::PictureRequest> picture = picture_of(options);
    if (!picture) return fail(picture.diagnostics());
    std::optional<session::Exploration> explored;
    RunOptions run = options.run;
    if (run.schedule == "all" && run.engine != "gpu") {
        Result<session::Exploration> found = exploration_of(run);
        if (!found) return fail(found.diagnostics());
        explored = std::move(*found);
        run.schedule = "rr";
    }
    session::Session shown(kernels_folder());
    if (run.engine == "gpu" && !is_trace(run.file)) {
        const Result<std::unique_ptr<gpu::LiveGpu>> there = open_gpu();
        if (!there) return fail(there.diagnostics(), no_engine);
        picture->prepare = [&](session::DeviceSource& source) { return run_for_picture(shown, options, source); };
    } else {
        Result<session::RunResult> result = result_of(run);
        if (!result) return fail(result.diagnostics());
        shown.adopt(std::move(*result));
        if (explored) shown.adopt(std::move(*explored));
        if (const Result<void> moved = go_to(shown, options); !moved) return fail(moved.diagnostics());
    }
    if (options.tab == "timings") {
        shown.apply(session::FindGpu{});
        shown.wait();
    }
    const Result<ui::PictureOutcome> drawn = ui::draw_picture(shown, *picture);
    if (!drawn) return fail(drawn.diagnostics());
    if (!drawn->note.empty()) std::cerr << drawn->note << '\n';
    if (const Result<void> written = render::write_png(drawn->image, options.output); !written)
        return fail(written.diagnostics());
    return fine;
}

// --- list
// -------------------------------------------------------------------------------------------------------

int list_command(bool json) {
    const lesson::Registry registry = lesson::load_registry(kernels_folder());
    if (json) {
        nlohmann::ordered_json topics = nlohmann::ordered_json::array();
        for (const lesson::Topic& topic : registry.topics) {
            nlohmann::ordered_json lessons = nlohmann::ordered_json::array();
            for (const lesson::LessonEntry& entry : topic.lessons)
                lessons.push_back(
                    {{"name", entry.name}, {"title", entry.title}, {"file", entry.path.string()}});
            topics.push_back({{"topic", topic.name}, {"title", topic.title}, {"lessons", lessons}});
        }
        std::cout << topics.dump(2) << '\n';
    } else {
        for (const lesson::Topic& topic : registry.topics) {
            std::cout << topic.title << '\n';
            for (const lesson::LessonEntry& entry : topic.lessons)
                std::printf("  %-42s %s\n",
                            ("kernels/" + topic.name + "/" + entry.path.filename().string()).c_str(),
                            entry.title.c_str());
            std::fflush(stdout);
        }
    }
    return registry.problems.empty() ? fine : fail(registry.problems);
}

// --- doctor
// -----------------------------------------------------------------------------------------------------

int doctor_command(bool json) {
    const doctor::Report report = doctor::examine();
    std::cout << (json ? doctor::report_json(report, LANESCOPE_VERSION) : doctor::report_text(report));
    switch (report.verdict()) {
        case doctor::Verdict::pass: return fine;
        case doctor::Verdict::fail: return found;
        case doctor::Verdict::no_gpu: break;
    }
    return no_engine;
}

// --- the window
// -------------------------------------------------------------------------------------------------

fs::path first_lesson() {
    const lesson::Registry registry = lesson::load_registry(kernels_folder());
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
    if (const int code = run_command(options, false, false, {}); code == bad_input) return code;
    std::cout << "\nlanescope.png shows " << options.file
              << ".\nOther pictures: lanescope render FILE --step N -o out.png; lanescope list names the "
                 "lessons.\n";
    return fine;
}

// What --schedule asks of the window: a schedule to run with, or all of them.
Result<session::Commands> schedule_commands(const std::string& text) {
    if (text == "all") return session::Commands{session::ExploreSchedules{}};
    Result<simt::Schedule> schedule = simt::parse_schedule(text);
    if (!schedule) return schedule.diagnostics();
    return session::Commands{session::SetSchedule{std::move(*schedule)}};
}

int window(std::string file, const std::string& schedule) {
    if (file.empty()) file = first_lesson().string();
    RunOptions options;
    options.file = file;
    options.schedule = schedule;
    const Result<session::Commands> asked = schedule_commands(schedule);
    if (!asked) return fail(asked.diagnostics());
    session::Session shown(kernels_folder());
    if (is_trace(file)) {
        Result<session::RunResult> opened = session::open_trace(file);
        if (!opened) return fail(opened.diagnostics());
        shown.adopt(std::move(*opened));
    } else {
        // A wrong name is said at once; a file with mistakes opens, and the window shows them.
        if (const Result<std::string> text = read_text_file(file); !text) return fail(text.diagnostics());
        const bool explores = schedule == "all";
        if (explores) shown.apply(session::OpenFile{file});
        for (const session::Command& command : *asked)
            shown.apply(command);
        if (!explores) shown.apply(session::OpenFile{file});
    }
    if (const Result<void> closed = ui::run_window(shown); !closed)
        return window_as_picture(options, closed.diagnostics());
    return fine;
}

}  // namespace

static int command_line(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "__compile") return compile::compile_worker_main();
    if (argc > 1 && std::string_view(argv[1]) == "__time") return session::time_worker_main();

    CLI::App app{"Lanescope: step through CUDA kernels, forwards and backwards, and see what every lane does",
                 "lanescope"};
    app.set_version_flag("--version", LANESCOPE_VERSION);
    app.footer(
        "Without a subcommand the window opens, at FILE or at the first lesson.\n"
        "Exit: 0 fine; 1 an expectation failed or a problem was found; 2 bad input; 3 engine not available.");
    std::string file;
    app.add_option("FILE", file, "a .cu file, or a saved .trace, to open");
    std::string schedule = "rr";
    const CLI::Option* window_schedule =
        app.add_option("--schedule", schedule, "who goes next, as of 'run'; all: tries every schedule")
            ->capture_default_str();

    RunOptions run_options;
    bool run_json = false, run_steps = false;
    std::string save;
    CLI::App* run = app.add_subcommand("run", "run a file, print what was counted, check what it expects");
    run_options.add_to(*run);
    CLI::Option* as_json = run->add_flag("--json", run_json, "print JSON");
    run->add_flag("--per-instruction", run_options.per_instruction,
                  "with --json: also the counts of every PTX instruction")
        ->needs(as_json);
    CLI::Option* steps = run->add_flag("--steps", run_steps,
                                       "print one line per step of block 0, or of each of --record-blocks");
    CLI::Option* saving = run->add_option("--save", save, "save the trace to this file");
    std::string sarif;
    run->add_option("--sarif", sarif,
                    "write the problems to this file, as SARIF 2.1.0 for editors and CI services");
    run->add_flag("--no-trace", run_options.no_trace,
                  "record nothing: faster, on all cores, counts instructions only")
        ->excludes(steps)
        ->excludes(saving);

    RenderOptions render_options;
    CLI::App* render = app.add_subcommand("render", "draw a step of a file to a PNG");
    render_options.run.add_to(*render);
    CLI::Option* step =
        render->add_option("--step", render_options.step, "which step, from 0")->check(from(0));
    render->add_option("--phase", render_options.phase, "the first step after this many barriers")
        ->check(from(0))
        ->excludes(step);
    render->add_option("--view", render_options.view, "which view")
        ->check(CLI::IsMember({"explore", "lecture", "threads", "schedule"}))
        ->capture_default_str();
    render
        ->add_option("--colour", render_options.colour,
                     "of the view threads: state, line, or a variable of which the value is the colour")
        ->capture_default_str();
    render->add_option("--tab", render_options.tab, "which tab below the source")
        ->check(CLI::IsMember({"variables", "access", "problems", "timings"}));
    render->add_option("--size", render_options.size, "size in pixels")->capture_default_str();
    render->add_option("-o,--output", render_options.output, "the PNG to write")->required();

    bool list_json = false;
    CLI::App* list = app.add_subcommand("list", "name the lessons");
    list->add_flag("--json", list_json, "print JSON");

    TimeOptions time_options;
    CLI::App* time = app.add_subcommand("time", "time files on this machine's GPU, beside the libraries");
    time_options.add_to(*time);

    bool doctor_json = false;
    CLI::App* doctor = app.add_subcommand("doctor", "say what works on this machine: GPU, compiler, OpenGL");
    doctor->add_flag("--json", doctor_json, "print JSON");
    app.require_subcommand(0, 1);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        return app.exit(problem) == 0 ? fine : bad_input;
    }
    if (window_schedule->count() != 0 && !app.get_subcommands().empty())
        return fail(error("--schedule stands before the subcommand", "lanescope run FILE --schedule …"));
    if (*run) return run_command(run_options, run_json, run_steps, save, sarif);
    if (*render) return render_command(render_options);
    if (*list) return list_command(list_json);
    if (*time) return time_command(time_options);
    if (*doctor) return doctor_command(doctor_json);
    return window(file, schedule);
}

int main(int argc, char** argv) {
    return gpu::end_process(command_line(argc, argv));
}
