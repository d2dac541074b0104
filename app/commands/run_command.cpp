#include "commands/run_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/folders.h"
#include "commands/options/command.h"
#include "commands/options/dump_option.h"
#include "commands/options/status_line.h"
#include "session/clock/clock.h"
#include "session/clock/device_file.h"
#include "session/clock/file_clock.h"
#include "session/report/explore_report.h"
#include "session/report/layout_report.h"
#include "session/report/report.h"
#include "session/report/sarif.h"
#include "session/schedules/recorded_schedules.h"
#include "session/timing/file_counters.h"
#include "session/timing/time_files.h"
#include "trace/io.h"

namespace lanescope {

namespace {

int verdict(const execution::RunResult& result) {
    const std::vector<std::string>& expected = result.instance.front.expected_problems;
    for (const trace::Problem& problem : result.problems) {
        // A wrong launch by a kernel is found while the kernel runs, and has a line.
        const bool refused = problem.kind == trace::ProblemKind::launch_config && problem.first.line == 0;
        if (refused &&
            std::find(expected.begin(), expected.end(), trace::to_text(problem.kind)) == expected.end())
            return bad_input;
    }
    return result.fine() ? fine : check_failed;
}

// Refuses the options of a single run, because ignoring them silently would mislead.
Result<void> only_for_one_run(const RunCommand& command) {
    const std::pair<bool, const char*> asked[] = {{command.steps, "--steps"},
                                                  {!command.flow.empty(), "--flow"},
                                                  {command.layout, "--layout"},
                                                  {!command.save.empty(), "--save"},
                                                  {!command.dumps.empty(), "--dump"},
                                                  {!command.sarif.empty(), "--sarif"},
                                                  {command.run.per_instruction, "--per-instruction"},
                                                  {command.run.no_trace, "--no-trace"},
                                                  {!command.run.recorded.empty(), "--record-blocks"},
                                                  {command.gpu_schedule, "--gpu-schedule"},
                                                  {command.counters, "--counters"}};
    for (const auto& [given, name] : asked)
        if (given)
            return error(std::string(name) + " needs a single run, but --schedule all makes many",
                         "use one of the schedules that --schedule all lists");
    return {};
}

int explore_command(const RunOptions& options, bool json) {
    if (options.engine == "gpu")
        return fail(error("the GPU chooses its schedule itself", "use --schedule all with --engine cpu"));
    const Result<execution::Exploration> explored = exploration_of(options);
    if (!explored) return fail(explored.diagnostics());
    std::cout << (json ? session::exploration_json(*explored) : session::exploration_text(*explored));
    return explored->fine() ? fine : check_failed;
}

// Writes the problems of the run, or why there is no run.
Result<void> write_sarif(const std::string& file, const Result<execution::RunResult>& result) {
    if (file.empty()) return {};
    return write_file(file, result ? session::report_sarif(*result, LANESCOPE_VERSION)
                                   : session::report_sarif(result.diagnostics(), LANESCOPE_VERSION));
}

Result<void> check_outputs_of(const RunCommand& command) {
    std::vector<Output> outputs = trace_and_sarif(command.save, command.sarif, command.program);
    if (Result<void> added = add_dumps(outputs, command.dumps); !added) return added;
    return check_outputs(outputs, inputs_of(command.run));
}

int run_program(const RunCommand& command) {
    const RunOptions& options = command.run;
    const std::string stated = options.compiling.launch.first();
    const std::pair<bool, const char*> refused[] = {
        {command.steps, "--steps"},
        {!command.flow.empty(), "--flow"},
        {command.layout, "--layout"},
        {!command.sarif.empty() && !command.program.check, "--sarif without --check"},
        {options.per_instruction, "--per-instruction"},
        {command.gpu_schedule, "--gpu-schedule"},
        {command.counters, "--counters"},
        {command.clock, "--clock"},
        {command.resources, "--resources"},
        {!options.recorded.empty(), "--record-blocks"},
        {!options.settings.empty(), "--set"},
        {!options.compiling.arch.empty(), "--arch"},
        {!options.compiling.kernel.empty(), "--kernel"},
        {!stated.empty(), stated.c_str()},
        {!options.gpu.empty(), "--gpu"},
        {options.code != "debug", "--code"}};
    for (const auto& [given, name] : refused)
        if (given)
            return fail(
                error(std::string(name) + " is not for a program with main()",
                      "record a launch with --save FILE.trace --launch N, then use it with FILE.trace"));
    ProgramOptions program = command.program;
    program.compiling = options.compiling.for_nvcc();
    program.json = command.json;
    program.engine = options.engine;
    program.save = command.save;
    program.dumps = command.dumps;
    program.sarif = command.sarif;
    program.timeout_s = options.timeout_s;
    if (!options.schedule.empty()) program.schedule = options.schedule;
    return run_program_command(options.file, program);
}

// The counters that ship for this text. Flags may change the code, which then was not measured.
Result<session::FileCounters> recorded_counters(const RunOptions& options,
                                                const execution::RunResult& result) {
    if (!options.compiling.empty() || kind_of(options.file) == FileKind::trace)
        return session::FileCounters{};
    const auto recorded = session::shipped_recording(resource_folder() / "assets", "counters");
    if (!recorded) return recorded.diagnostics();
    return session::counters_of_text({*recorded}, result.source, options.file, result.instance.parameters);
}

// The counters of this machine's GPU for the same file and parameters.
Result<session::FileCounters> measured_counters(const RunOptions& options,
                                                const execution::RunResult& result) {
    if (const Result<std::string> possible = session::timing_possible(); !possible)
        return possible.diagnostics();
    Result<execution::Opening> opening = options.compiling.opening();
    if (!opening) return opening.diagnostics();
    session::TimeRequest request;
    request.files = {options.file};
    request.parameters = result.instance.parameters;
    request.flags = std::move(opening->flags);
    request.flags.arch.clear();  // the GPU's own
    request.kernel = std::move(opening->kernel);
    request.launch = std::move(opening->launch);
    request.peers = false;
    request.counters = true;
    StatusLine progress;
    request.tell = [&](const std::string& words) { progress.show(words + " …"); };
    Result<session::TimingReport> report = session::time_files(request);
    if (!report) return report.diagnostics();
    const auto timings = std::make_shared<const session::Timings>(session::Timings{std::move(*report)});
    session::FileCounters found =
        session::counters_of_text({timings}, result.source, options.file, result.instance.parameters);
    for (const session::TimingRecord& record : timings->report.timings)
        if (!found.record && !record.timed()) found.absent = record.error;
    return found;
}

// Estimates instead of the run's report.
Result<session::Clock> clock_of(const RunOptions& options, const analysis::DeviceModel& device,
                                const session::Timings* recorded, std::string& source) {
    if (kind_of(options.file) == FileKind::trace) {
        const Result<execution::RunResult> opened = result_of(options);
        if (!opened) return opened.diagnostics();
        source = opened->source;
        return session::Clock::of(*opened, device, recorded);
    }
    Result<execution::RunRequest> request = request_of(options);
    if (!request) return request.diagnostics();
    source = request->source;
    request->trace_bytes = session::Clock::large_trace_bytes;
    return session::Clock::wind(std::move(*request), device, recorded);
}

int clock_command(const RunCommand& command) {
    const RunOptions& options = command.run;
    if (options.on_gpu())
        return fail(error(command.clock ? "--clock estimates without a GPU"
                                        : "--resources examines code for an H200, without a GPU",
                          "lanescope time measures on one"));
    if (command.steps && !(command.clock && command.json))
        return fail(error("--clock has steps only as JSON", "add --json, or leave out --steps"));
    const Result<analysis::DeviceModel> device = session::shipped_device();
    if (!device) return fail(device.diagnostics(), check_failed);
    const auto recorded = session::shipped_recording(resource_folder() / "assets");
    if (!recorded) return fail(recorded.diagnostics(), check_failed);
    std::string source;
    // Registers that were recorded on a GPU count for times; --resources shows what the assembler says.
    const session::Timings* registers = command.resources ? nullptr : recorded->get();
    const Result<session::Clock> clock = clock_of(options, *device, registers, source);
    if (!clock) return fail(clock.diagnostics());
    const session::Resources resources = command.resources ? clock->resources() : session::Resources{};
    if (!command.clock) {
        std::cout << (command.json ? session::resources_json(resources, clock->launches()).dump(2) + "\n"
                                   : session::resources_text(resources, clock->launches(), source));
        return resources.absent.empty() ? fine : no_engine;
    }
    const session::ClockReading reading =
        clock->read(*device, {}, command.steps ? session::FileClock::most_intervals : 0);
    if (command.json) {
        nlohmann::ordered_json out = session::to_json(reading);
        if (command.resources) out["resources"] = session::resources_json(resources, clock->launches());
        std::cout << out.dump(2) << '\n';
    } else {
        std::cout << session::to_text(reading, source);
        if (command.resources) std::cout << session::resources_text(resources, clock->launches(), source);
    }
    return reading.estimate.refused.empty() ? fine : check_failed;
}

void tell_refused_launches(const execution::RunResult& result, const std::string& file) {
    const std::vector<int>& lines = result.launch_lines;
    for (const trace::Problem& problem : result.problems) {
        const int line = problem.first.launch < lines.size() ? lines[problem.first.launch] : 0;
        std::cerr << to_text(error_at(file, line, 0, problem.message)) << '\n';
    }
}

}  // namespace

void RunCommand::add_to(CLI::App& app) {
    run.add_to(app);
    CLI::Option* as_json = app.add_flag("--json", json, "print JSON");
    app.add_flag("--per-instruction", run.per_instruction,
                 "with --json: add the counts of every PTX instruction")
        ->needs(as_json);
    CLI::Option* scheduling =
        app.add_flag("--gpu-schedule", gpu_schedule,
                     "with --json: add which multiprocessor of a GPU ran which block, and when; without\n"
                     "--engine gpu, as it was recorded for the course")
            ->needs(as_json);
    app.add_flag("--counters", counters,
                 "with --json: measure the counters of this machine's GPU for the same parameters; without\n"
                 "it the JSON has those that were recorded for the course")
        ->needs(as_json);
    CLI::Option* timing = app.add_flag("--clock", clock,
                                       "estimate how long the kernels take on an H200, from a trace of their "
                                       "optimised code; with --json as\n"
                                       "JSON, with --steps too what each warp does when. Nothing is checked");
    CLI::Option* examining =
        app.add_flag("--resources", resources,
                     "registers, spills and shared memory of each kernel and line, and what limits the\n"
                     "blocks on a multiprocessor of an H200. Nothing is checked");
    CLI::Option* listing = app.add_flag(
        "--steps", steps, "print one line per step of block 0, or of each block of --record-blocks");
    CLI::Option* following =
        app.add_option("--flow", flow,
                       "show what each element of this buffer was made of: inputs, depth, operations")
            ->type_name("BUFFER");
    CLI::Option* layouts = app.add_flag(
        "--layout", layout,
        "show the layouts that the run implies: tiles in shared memory, their banks, fragments of matrix\n"
        "instructions, which thread wrote which element");
    CLI::Option* saving = app.add_option("--save", save, "save the trace to this file");
    app.add_option("--sarif", sarif,
                   "write the problems to this file, as SARIF 2.1.0 for editors and CI services");
    add_dump_option(app, dumps);
    program.add_launches_to(app);
    app.add_flag("--no-trace", run.no_trace,
                 "record nothing: run faster, on all cores, and count only instructions")
        ->excludes(listing)
        ->excludes(scheduling)
        ->excludes(following)
        ->excludes(layouts)
        ->excludes(saving)
        ->excludes(timing)
        ->excludes(examining);
    for (CLI::Option* option : {timing, examining})
        for (CLI::Option* other : {scheduling, following, layouts, saving})
            option->excludes(other);
    examining->excludes(listing);
}

Result<execution::Exploration> exploration_of(RunOptions options) {
    if (kind_of(options.file) == FileKind::trace)
        return error(options.file + " is a saved trace, which has only one schedule",
                     "use --schedule all with a .cu file");
    options.schedule = "rr";
    const Result<execution::RunRequest> request = request_of(options);
    if (!request) return request.diagnostics();
    execution::ExploreLimits limits;
    if (options.timeout_s > 0) limits.seconds = options.timeout_s;
    if (options.max_steps) limits.warp_instructions = options.max_steps;
    return execution::explore(*request, limits);
}

int run_command(const RunCommand& command) {
    const RunOptions& options = command.run;
    if (const Result<void> sound = check_outputs_of(command); !sound) return fail(sound.diagnostics());
    if (runs_as_program(options.file, command.program)) return run_program(command);
    if (command.program.whole || !command.program.words.empty() || !command.program.launches.empty() ||
        command.program.check)
        return fail(not_a_program(options.file));
    if (const Result<void> sound = check_gpu_option(options); !sound) return fail(sound.diagnostics());
    if (command.clock || command.resources) return clock_command(command);
    const Result<std::unique_ptr<gpu::ServedDevice>> device = open_device(options);
    if (!device) return fail(device.diagnostics(), no_engine);
    if (options.schedule == "all") {
        const Result<void> possible = only_for_one_run(command);
        return possible ? explore_command(options, command.json) : fail(possible.diagnostics());
    }
    const Result<execution::RunResult> result = run_on(options, device->get());
    if (const Result<void> written = write_sarif(command.sarif, result); !written)
        return fail(written.diagnostics());
    if (!result) return fail(result.diagnostics());
    for (const Diagnostic& warning : result->compiled.warnings)
        std::cerr << to_text(warning) << '\n';
    if (!command.save.empty() && result->trace)
        if (const Result<void> saved = trace::save(*result->trace, command.save); !saved)
            return fail(saved.diagnostics());
    if (const Result<void> dumped = write_dumps(*result, command.dumps); !dumped)
        return fail(dumped.diagnostics());
    std::optional<session::FlowReport> flow;
    if (!command.flow.empty()) {
        Result<session::FlowReport> followed = session::flow_of(*result, command.flow);
        if (!followed) return fail(followed.diagnostics());
        flow = std::move(*followed);
    }
    const session::FlowReport* shown = flow ? &*flow : nullptr;
    nlohmann::ordered_json more;
    std::string layouts;
    if (command.layout) {
        const Result<session::LayoutReport> found = session::layouts_of(*result);
        if (!found) return fail(found.diagnostics());
        if (command.json)
            more["layouts"] = session::layouts_json(*found, *result);
        else
            layouts = session::layouts_text(*found, *result);
    }
    if (command.steps && command.json) more["steps"] = session::steps_json(*result);
    if (command.gpu_schedule) {
        const auto recorded = session::shipped_schedules(resource_folder() / "assets");
        if (!recorded) return fail(recorded.diagnostics());
        more["gpu_schedule"] = session::gpu_schedule_json(*result, recorded->get());
    }
    if (command.json) {
        const Result<session::FileCounters> counters =
            command.counters ? measured_counters(options, *result) : recorded_counters(options, *result);
        if (!counters) return fail(counters.diagnostics(), command.counters ? no_engine : check_failed);
        if (command.counters || counters->same_parameters) more["counters"] = to_json(*counters);
    }
    const int code = verdict(*result);
    if (code == bad_input) {
        tell_refused_launches(*result, options.file);
        if (!command.json) return code;
    }
    std::cout << (command.json    ? session::report_json(*result, options.per_instruction, shown,
                                                      more.empty() ? nullptr : &more)
                  : command.steps ? session::step_listing(*result)
                                  : session::report_text(*result, shown) + layouts);
    return code;
}

}  // namespace lanescope
