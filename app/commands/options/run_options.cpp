#include "commands/options/run_options.h"

#include "base/file_kind.h"
#include "base/files.h"
#include "commands/options/command.h"
#include "commands/options/status_line.h"
#include "execution/run/block_list.h"
#include "execution/run/input_files.h"
#include "execution/run/named_schedule.h"
#include "execution/run/opened_trace.h"
#include "gpu/served/device_command.h"
#include "session/runner/device_source.h"

namespace lanescope {

void RunOptions::add_to(CLI::App& app, NeedsFile needs_file) {
    if (needs_file == NeedsFile::yes)
        app.add_option("FILE", file, "a .cu or .ptx file, or a saved .trace")
            ->required()
            ->transform(or_shipped());
    else
        app.add_option("FILE", file, "a .cu or .ptx file, a saved .trace or an image to open")
            ->transform(or_shipped());
    app.add_option("--set", settings, "set a parameter: n=1024, n=2^20")->allow_extra_args(false);
    app.add_option("--engine", engine, "the engine that runs the kernel")
        ->check(CLI::IsMember({"cpu", "gpu"}))
        ->capture_default_str();
    app.add_option(
           "--gpu", gpu,
           "with --engine gpu: where the GPU is. local: in a process of its own, which a fault ends;\n"
           "ssh:HOST; or a command that starts 'lanescope __device' on a machine with a GPU")
        ->type_name("PLACE");
    app.add_option("--code", code, "how to compile the file")
        ->check(CLI::IsMember({"debug", "optimized"}))
        ->capture_default_str();
    compiling.add_to(app);
    app.add_option(
        "--schedule", schedule,
        "the order of turns: rr, warp, seed:N, or the name of a schedule of the lesson (list --json);\n"
        "threads:0*3,1,2.5 gives single threads turns: thread 0 three turns, thread 1 one turn,\n"
        "thread 5 of block 2 one turn, then all threads in turn; with 'run' also all: find\n"
        "every outcome, with a schedule for each (default: that of the lesson, else rr)");
    app.add_option("--max-steps", max_steps, "stop after this many warp instructions (default: 2000000000)")
        ->check(from(1));
    app.add_option("--resident", resident,
                   "let at most this many blocks be resident at a time (default: no limit)")
        ->check(from(1));
    app.add_option("--record-blocks", recorded,
                   "record only these blocks of the grid, which runs as a whole: 0,1,5-6");
    app.add_option("--timeout", timeout_s,
                   "end the run and its analysis within this many seconds (default: 60)")
        ->check(from(0.001));
}

bool RunOptions::on_gpu() const {
    return engine == "gpu" && kind_of(file) != FileKind::trace;
}

std::vector<std::filesystem::path> inputs_of(const RunOptions& options) {
    const std::vector<std::string>& folders = options.compiling.include_folders;
    return execution::input_files(options.file, {folders.begin(), folders.end()});
}

Result<execution::RunRequest> request_of(const RunOptions& options) {
    execution::RunRequest request;
    Result<std::string> source = read_text_file(options.file);
    if (!source) return source.diagnostics();
    request.file = options.file;
    request.source = std::move(*source);
    Result<lesson::ParameterValues> parameters = parameters_of(options.settings);
    if (!parameters) return parameters.diagnostics();
    request.parameters = std::move(*parameters);
    request.code = options.code == "debug" ? compile::Code::debug : compile::Code::optimized;
    Result<execution::Opening> opening = options.compiling.opening();
    if (!opening) return opening.diagnostics();
    request.flags = std::move(opening->flags);
    request.kernel = std::move(opening->kernel);
    request.launch = std::move(opening->launch);
    Result<simt::Schedule> schedule = execution::find_schedule(options.schedule, options.file);
    if (!schedule) return schedule.diagnostics();
    request.schedule = *schedule;
    request.schedule.resident_blocks = options.resident;
    if (!options.recorded.empty()) {
        Result<std::vector<std::uint32_t>> blocks = execution::parse_block_list(options.recorded);
        if (!blocks) return blocks.diagnostics();
        request.recorded_blocks = std::move(*blocks);
    }
    if (options.max_steps) request.limits.warp_instructions = options.max_steps;
    if (options.timeout_s > 0) request.limits.seconds = options.timeout_s;
    request.traced = !options.no_trace;
    return request;
}

Result<void> check_gpu_option(const std::string& engine, const std::string& place) {
    if (place.empty()) return {};
    if (engine != "gpu") return error("--gpu says where the GPU engine runs", "add --engine gpu");
    return gpu::check_place(place);
}

Result<void> check_gpu_option(const RunOptions& options) {
    if (!options.gpu.empty() && kind_of(options.file) == FileKind::trace)
        return error(options.file + " is a saved trace, which does not run", "leave out --gpu");
    return check_gpu_option(options.engine, options.gpu);
}

Result<std::unique_ptr<gpu::ServedDevice>> open_device(const RunOptions& options) {
    if (!options.on_gpu()) return std::unique_ptr<gpu::ServedDevice>();
    StatusLine status;
    std::unique_ptr<gpu::ServedDevice> made;
    if (!options.gpu.empty()) {
        status.show("connecting with " + options.gpu + " …");
        Result<std::unique_ptr<gpu::ServedDevice>> served =
            gpu::start_served_device(options.gpu, LANESCOPE_VERSION);
        if (!served) return no_gpu(served.diagnostics());
        made = std::move(*served);
    } else {
        constexpr std::uint64_t most_record_bytes = 2ull << 30;
        Result<std::unique_ptr<gpu::ServedDevice>> served =
            gpu::make_served_device("local", LANESCOPE_VERSION, most_record_bytes);
        if (!served) return no_gpu(served.diagnostics());
        made = std::move(*served);
        if (const Result<void> there = made->open(nullptr); !there) {
            Diagnostics why = there.diagnostics();
            why.front().file.clear();  // the name of the connection, which the command line does not have
            return no_gpu(std::move(why));
        }
    }
    return made;
}

Result<execution::RunResult> result_of(const RunOptions& options, gpu::TraceDevice* device,
                                       const execution::RunProgress& progress) {
    if (kind_of(options.file) == FileKind::trace) {
        if (!options.compiling.empty())
            return error(options.file + " is a saved trace, which is not compiled again",
                         "leave out -I, -D, --std, --arch, --kernel and what states a launch");
        if (options.no_trace)
            return error(options.file + " is a saved trace", "use --no-trace with a .cu file");
        return execution::open_trace(options.file);
    }
    Result<execution::RunRequest> request = request_of(options);
    if (!request) return request.diagnostics();
    if (device == nullptr) return execution::execute(*request);
    if (options.no_trace)
        return error("--no-trace does not work with --engine gpu",
                     "use lanescope time FILE to run it untraced");
    if (!options.schedule.empty() || options.resident != 0)
        return error("the GPU chooses its schedule itself",
                     "use --schedule and --resident with --engine cpu");
    request->device = device;
    return session::execute_on_device(*request, nullptr, progress);
}

Result<execution::RunResult> run_on(const RunOptions& options, gpu::ServedDevice* served) {
    if (served == nullptr) return result_of(options);
    StatusLine status;
    const std::string place = options.gpu.empty() ? "" : " at " + options.gpu;
    return result_of(options, served, [&](execution::RunPhase phase, float share) {
        constexpr float percent = 100;
        const std::string words = phase == execution::RunPhase::compiling ? "compiling " + options.file
                                  : phase == execution::RunPhase::running
                                      ? "running on " + served->name() + place + ", " +
                                            std::to_string(static_cast<int>(share * percent)) + " %"
                                      : "counting " + options.file;
        status.show(words + ", " + received_text(served->received_bytes()) + " …");
    });
}

bool says_how_to_run(const RunOptions& run) {
    const RunOptions usual;
    return !run.settings.empty() || run.engine != usual.engine || run.code != usual.code ||
           run.schedule != usual.schedule || run.max_steps != usual.max_steps ||
           run.timeout_s != usual.timeout_s || !run.compiling.empty() || run.resident != usual.resident ||
           !run.recorded.empty();
}

std::filesystem::path whole_path(const std::string& file) {
    std::error_code ignored;
    return std::filesystem::absolute(file, ignored).lexically_normal();
}

}  // namespace lanescope
