#include "commands/program_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/files.h"
#include "base/process.h"
#include "base/temporary_folder.h"
#include "commands/options/command.h"
#include "commands/options/dump_option.h"
#include "execution/run/opened_trace.h"
#include "gpu/driver/device_query.h"
#include "program/build.h"
#include "program/check.h"
#include "program/report.h"
#include "program/run.h"
#include "program/safe_names.h"
#include "session/report/sarif.h"
#include "simt/launch/schedule.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

// One trace goes to the file, several go into the folder.
Result<void> save_traces(const program::ProgramRun& run, const std::string& to) {
    std::vector<const program::ProgramLaunch*> recorded;
    for (const program::ProgramLaunch& each : run.launches)
        if (!each.trace.empty()) recorded.push_back(&each);
    if (recorded.empty())
        return error("no launch was recorded",
                     "the list above names the launches; --launch takes a number, a kernel or KERNEL:NUMBER");
    std::error_code failed;
    const bool folder = recorded.size() > 1 || fs::is_directory(to, failed) || kind_of(to) == FileKind::other;
    if (folder) fs::create_directories(to, failed);
    for (const program::ProgramLaunch* each : recorded) {
        const fs::path file =
            folder ? fs::path(to) / ("launch-" + std::to_string(each->number) + ".trace") : fs::path(to);
        if (Result<void> saved = program::save_trace(run, *each, file); !saved) return saved;
    }
    return {};
}

// The buffers after the recorded launch.
Result<void> dump_buffers(const program::ProgramRun& run, const fs::path& folder,
                          const std::vector<std::string>& dumps) {
    for (const program::ProgramLaunch& each : run.launches) {
        if (each.trace.empty()) continue;
        const fs::path named = folder / "named.trace";
        if (Result<void> saved = program::save_trace(run, each, named); !saved) return saved;
        const Result<execution::RunResult> opened = execution::open_trace_uncounted(named.string());
        if (!opened) return opened.diagnostics();
        return write_dumps(*opened, dumps);
    }
    return error("no launch was recorded, whose buffers --dump could write",
                 "--launch takes a number, a kernel or KERNEL:NUMBER");
}

Result<void> check_schedule(const ProgramOptions& options) {
    if (options.schedule.empty()) return {};
    if (options.engine == "gpu")
        return error("the GPU chooses its schedule itself", "use --schedule with --engine cpu");
    const Result<simt::Schedule> parsed = simt::parse_schedule(options.schedule);
    if (options.schedule == "all" || !parsed || parsed->kind == simt::Schedule::Kind::threads)
        return error("a program with main() has no schedule '" + options.schedule + "'",
                     "use rr, warp or seed:N; --check alone tries several");
    return {};
}

int check_words(const std::vector<std::string>& argv, const std::string& name, const std::string& again,
                const program::RunOptions& wanted, const ProgramOptions& options) {
    const Result<std::vector<program::ProgramRun>> runs = program::check_programs(argv, wanted);
    if (!runs) return fail(runs.diagnostics());
    const program::ProgramRun& first = runs->front();
    const bool several = runs->size() > 1;
    const std::vector<program::Finding> findings = program::findings_of(*runs, options.leaks);
    if (options.json)
        std::cout << (several ? program::report_json(*runs, name, findings)
                              : program::report_json(first, name, &findings));
    else
        std::cerr << (several ? program::report_text(*runs) : program::report_text(first, again, true))
                  << program::text_of(findings, runs->size());
    if (!options.sarif.empty())
        if (const Result<void> written = write_file(
                options.sarif, session::report_sarif(program::diagnostics_of(findings), LANESCOPE_VERSION));
            !written)
            return fail(written.diagnostics());
    bool sound = !program::any_problem(findings);
    for (const program::ProgramRun& run : *runs) {
        if (!run.used_the_machine || !run.unsupported.empty()) return no_engine;
        sound = sound && run.fine();
    }
    return sound ? fine : check_failed;
}

int run_words(const std::vector<std::string>& argv, const std::string& name, const std::string& again,
              const ProgramOptions& options) {
    if (options.check && (options.engine == "gpu" || options.all || !options.launches.empty()))
        return fail(error("--check is not for recordings and GPUs", "record the launch in a run of its own"));
    if (const Result<void> sound = check_schedule(options); !sound) return fail(sound.diagnostics());
    if (!options.check && (options.leaks || !options.sarif.empty()))
        return fail(error("--leaks and --sarif of a program belong to --check", "add --check"));
    if (options.save.empty() && options.dumps.empty() && (options.all || !options.launches.empty()))
        return fail(error("--launch and --all record traces, which need a place", "add --save FILE.trace"));
    if (!options.dumps.empty() && (options.all || options.launches.size() > 1))
        return fail(error("--dump writes the buffers of one launch", "name one with --launch"));
    const Result<TemporaryFolder> folder = TemporaryFolder::create();
    if (!folder) return fail(folder.diagnostics());
    program::RunOptions wanted;
    wanted.folder = folder->path();
    wanted.capture = options.json;
    wanted.on_gpu = options.engine == "gpu";
    wanted.record = options.launches;
    wanted.check = options.check;
    if (options.all) wanted.record = {"all"};
    wanted.seconds = options.timeout_s;
    wanted.kernel_seconds = options.timeout_s;
    wanted.memory_bytes = static_cast<std::uint64_t>(options.memory_gib * (1ull << 30));
    if (!(options.save.empty() && options.dumps.empty()) && wanted.record.empty()) wanted.record = {"0"};
    wanted.schedule = options.schedule;
    if (options.check) return check_words(argv, name, again, wanted, options);
    const Result<program::ProgramRun> run = program::run_program(argv, wanted);
    if (!run) return fail(run.diagnostics());
    if (options.json)
        std::cout << program::report_json(*run, name);
    else
        std::cerr << program::report_text(*run, again);
    if (!options.save.empty())
        if (const Result<void> saved = save_traces(*run, options.save); !saved)
            return fail(saved.diagnostics());
    if (!options.dumps.empty())
        if (const Result<void> dumped = dump_buffers(*run, folder->path(), options.dumps); !dumped)
            return fail(dumped.diagnostics());
    if (!run->used_the_machine || !run->unsupported.empty()) return no_engine;
    return run->fine() ? fine : check_failed;
}

// Whether it is CMake that configures, which is when it chooses the runtime.
bool configures_cmake(const std::vector<std::string>& command) {
    constexpr std::string_view others[] = {"--build", "--install",  "--open", "-E",
                                           "-P",      "--workflow", "--help", "--version"};
    return fs::path(command.front()).filename() == "cmake" &&
           std::none_of(command.begin() + 1, command.end(), [&](const std::string& word) {
               return std::find(std::begin(others), std::end(others), word) != std::end(others);
           });
}

// What the command itself says of the runtime comes later, and wins.
Result<std::vector<std::string>> with_shared_runtime(std::vector<std::string> command,
                                                     const fs::path& folder) {
    const fs::path file = folder / "shared_runtime.cmake";
    const Result<void> written =
        write_file(file,
                   "set(CMAKE_CUDA_RUNTIME_LIBRARY Shared CACHE STRING \"\")\n"
                   "set(CUDA_USE_STATIC_CUDA_RUNTIME OFF CACHE BOOL \"\")\n");  // of FindCUDA
    if (!written) return written.diagnostics();
    command.insert(command.begin() + 1, {"-C", file.string()});
    return command;
}

}  // namespace

Result<int> gpu_capability() {
    const Result<std::shared_ptr<const gpu::Driver>> driver = gpu::Driver::open();
    if (!driver) return no_gpu(driver.diagnostics());
    const Result<gpu::DeviceQuery> found = gpu::query_device(**driver, 0);
    if (!found) return no_gpu(found.diagnostics());
    return std::min(90, found->compute_capability);
}

void ProgramOptions::add_launches_to(CLI::App& app) {
    app.add_option("words", words, "of a program with main(), behind --: its arguments")->type_name("ARGS");
    app.add_flag("--program", whole,
                 "run the program of a file with main() and front matter, as nvcc makes it");
    app.add_flag("--no-host-code", no_host_code,
                 "propose a launch of a kernel, do not run the host code of a file with main()");
    app.add_option("--launch", launches,
                   "of a program: record this launch: a number, a kernel, or KERNEL:NUMBER")
        ->type_name("LAUNCH")
        ->expected(1)
        ->take_all();
    add_check_to(app);
}

void ProgramOptions::add_check_to(CLI::App& app) {
    app.add_flag(
        "--check", check,
        "of a program: look for races in every launch and between streams, too, and list all findings");
    app.add_flag("--leaks", leaks, "with --check: memory that is not freed at the end is a problem");
}

void ProgramOptions::add_record_to(CLI::App& app) {
    app.add_option("words", words, "behind --: the program and its arguments")
        ->type_name("PROGRAM")
        ->required();
    app.add_option("--launch", launches, "record this launch: a number, a kernel, or KERNEL:NUMBER")
        ->type_name("LAUNCH")
        ->expected(1)
        ->take_all();
    app.add_flag("--all", all, "record every launch");
    add_dump_option(app, dumps);
    add_check_to(app);
    app.add_option("--schedule", schedule, "the order of turns: rr, warp or seed:N (default: rr)")
        ->type_name("SCHEDULE");
    app.add_option("--sarif", sarif, "with --check: also write the findings as SARIF to this file")
        ->type_name("FILE");
    app.add_option("--save", save, "the trace file; with several launches, the folder of their traces");
    app.add_option("--engine", engine, "what runs the kernels; both let the program run as it is")
        ->check(CLI::IsMember({"cpu", "gpu"}));
    app.add_flag("--json", json, "print JSON, with what the program prints in it");
    app.add_option("--timeout", timeout_s, "end the kernels after this many seconds")->check(from(0));
    app.add_option("--memory", memory_gib,
                   "the device's memory in GiB (default: three quarters of this computer's)")
        ->check(from(0));
}

bool runs_as_program(const std::string& file, const ProgramOptions& options) {
    const bool asked = options.whole || options.check || !options.words.empty() || !options.launches.empty();
    if (options.no_host_code || !(asked ? session::has_program(file) : session::is_program(file)))
        return false;
    const Result<fs::path> nvcc = program::find_nvcc();
    if (nvcc || options.whole || !options.words.empty() || !options.launches.empty())
        return true;  // which tells what is missing
    Diagnostic note = nvcc.diagnostics().front();
    note.severity = Severity::note;
    note.file = file;
    note.message += "; one launch of a kernel is proposed instead";
    std::cerr << to_text(note) << '\n';
    return false;
}

int run_program_command(const std::string& file, const ProgramOptions& options) {
    program::CompileOptions compiling{options.compiling};
    if (options.engine == "gpu") {
        const Result<int> capability = gpu_capability();
        if (!capability) return fail(capability.diagnostics(), no_engine);
        compiling.capability = *capability;
        compiling.debug = !options.save.empty();  // a recording needs it, and times do not want it
    }
    const Result<fs::path> made = program::compile_program(file, compiling);
    if (!made) return fail(made.diagnostics());
    std::vector<std::string> argv{made->string()};
    argv.insert(argv.end(), options.words.begin(), options.words.end());
    std::string arguments;
    for (const std::string& word : options.words)
        arguments += (arguments.empty() ? " -- " : " ") + word;
    const std::string engine = options.engine == "gpu" ? " --engine gpu" : "";
    return run_words(argv, file, "lanescope run " + file + engine + " --save launch.trace --launch", options);
}

Diagnostic not_a_program(const std::string& file) {
    return error(file.empty() ? "no program is named" : file + " is not a program: it has no main()",
                 "arguments behind --, --program and --launch are for programs");
}

Result<void> choose_engine(session::ProgramRequest& request, const std::string& engine) {
    if (engine != "gpu") return {};
    if (request.check) return error("--check is for the CPU machine", "leave out --engine gpu");
    const Result<int> capability = gpu_capability();
    if (!capability) return capability.diagnostics();
    request.on_gpu = true;
    request.capability = *capability;
    return {};
}

Result<session::OpenedProgram> record_first_choice(const std::string& file, const ProgramOptions& options) {
    session::ProgramRequest wanted{file, options.compiling, options.words, options.launches, options.check};
    if (const Result<void> engine = choose_engine(wanted, options.engine); !engine)
        return engine.diagnostics();
    Result<session::OpenedProgram> opened = session::open_program(wanted);
    if (opened) std::cerr << program::report_text(opened->run, "");
    if (opened && opened->checked)
        std::cerr << program::text_of(program::findings_of(opened->run, options.leaks));
    return opened;
}

std::vector<Output> trace_and_sarif(const std::string& save, const std::string& sarif,
                                    const ProgramOptions& options) {
    const bool several = options.all || !options.launches.empty();
    return {{"--save", save, {FileKind::trace}, several, several},
            {"--sarif", sarif, {FileKind::sarif, FileKind::json}}};
}

int record_command(const ProgramOptions& options) {
    std::vector<Output> outputs = trace_and_sarif(options.save, options.sarif, options);
    if (const Result<void> added = add_dumps(outputs, options.dumps); !added)
        return fail(added.diagnostics());
    // The program and the files that its arguments name.
    if (const Result<void> sound = check_outputs(outputs, {options.words.begin(), options.words.end()});
        !sound)
        return fail(sound.diagnostics());
    if (options.engine == "gpu")
        if (const Result<int> capability = gpu_capability(); !capability)
            return fail(capability.diagnostics(), no_engine);
    const std::string engine = options.engine == "gpu" ? " --engine gpu" : "";
    return run_words(options.words, options.words.front(),
                     "lanescope record" + engine + " --save launch.trace --launch", options);
}

int build_command(const std::vector<std::string>& command) {
    Environment environment = program::build_environment();
    program::SafeNames names;
    Result<std::vector<std::string>> words = command;
    Result<TemporaryFolder> folder = TemporaryFolder::create();
    if (!folder) return fail(folder.diagnostics());
    if (configures_cmake(command)) words = with_shared_runtime(command, folder->path());
    const bool with_nvcc = fs::path(command.front()).filename() == "nvcc";
    if (with_nvcc) words = names.words(command);
    if (!words) return fail(words.diagnostics());
    if (words->front() == "nvcc")  // a wheel's is not in PATH
        if (const Result<fs::path> nvcc = program::find_nvcc()) words->front() = nvcc->string();
    if (!names.folder().empty()) environment["TMPDIR"] = names.folder().string();
    const Result<ProcessOutcome> outcome = run_attached(*words, environment);
    if (!outcome) return fail(outcome.diagnostics());
    if (const Result<void> put = names.finish(); !put) return fail(put.diagnostics());
    if (outcome->signal != 0)
        return fail(error(command.front() + " was ended by signal " + std::to_string(outcome->signal)),
                    check_failed);
    if (outcome->exit_code == 0) return 0;
    Diagnostics reasons = program::unknown_targets(command, "");
    if (!with_nvcc)
        for (Diagnostic& name : program::names_that_nvcc_cannot_read("."))
            reasons.push_back(std::move(name));
    for (const Diagnostic& reason : reasons)
        std::cerr << to_text(reason) << '\n';
    return outcome->exit_code;
}

}  // namespace lanescope
