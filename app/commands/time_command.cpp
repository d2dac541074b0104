#include "commands/time_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file_kind.h"
#include "base/files.h"
#include "base/folders.h"
#include "base/outputs.h"
#include "commands/options/command.h"
#include "commands/options/status_line.h"
#include "compile/compiler.h"
#include "gpu/served/device_command.h"
#include "session/timing/time_files.h"

namespace lanescope {

namespace {

namespace fs = std::filesystem;

Result<session::TimeRequest> request_of(const TimeOptions& options) {
    session::TimeRequest request;
    request.files = options.files;
    Result<lesson::ParameterValues> parameters = parameters_of(options.settings);
    if (!parameters) return parameters.diagnostics();
    request.parameters = std::move(*parameters);
    for (const std::string& text : options.sweeps) {
        Result<session::Sweep> sweep = session::parse_sweep(text);
        if (!sweep) return sweep.diagnostics();
        request.sweeps.push_back(std::move(*sweep));
    }
    Result<execution::Opening> opening = options.compiling.opening();
    if (!opening) return opening.diagnostics();
    request.flags = std::move(opening->flags);
    request.kernel = std::move(opening->kernel);
    request.launch = std::move(opening->launch);
    request.runs = options.runs;
    request.run_limit_s = options.run_limit_s;
    request.peers = !options.no_peers;
    request.lines = options.lines;
    request.counters = options.counters;
    if (options.no_counts) request.counts_limit_s = 0;
    request.device = options.device;
    return request;
}

// Connects with this program at the place that --gpu names, and asks for its GPU.
Result<std::shared_ptr<gpu::ServedProgram>> find_place(const std::string& where,
                                                       session::TimeRequest& request) {
    if (const Result<compile::Toolkit> toolkit = compile::find_toolkit(); !toolkit)
        return toolkit.diagnostics();
    Result<std::unique_ptr<gpu::ServedProgram>> started = gpu::start_served_program(where, LANESCOPE_VERSION);
    if (!started) return started.diagnostics();
    std::shared_ptr<gpu::ServedProgram> program = std::move(*started);
    const auto run = [program](const std::string& input, int limit_ms, const std::atomic<bool>* cancel) {
        return program->run({{"__time"}, input, limit_ms}, cancel);
    };
    Result<session::TimingPlace> place = session::timing_place(run, request.device);
    if (!place) {
        Diagnostics problems = place.diagnostics();
        if (problems.front().file.empty()) problems.front().file = where;
        return problems;
    }
    request.place = std::move(*place);
    return program;
}

// Prints where the time of each file and size goes.
void show_lines(const session::TimingReport& report) {
    std::error_code failed;
    for (const session::TimingRecord& record : report.timings) {
        if (!record.lines && record.lines_error.empty()) continue;
        std::cout << '\n' << record.file << session::parameters_text(record) << '\n';
        if (!record.lines) {
            std::cout << "  no time of each line: " << record.lines_error << '\n';
            continue;
        }
        std::cout << "  " << record.lines->samples << " samples, " << record.lines->period_cycles
                  << " cycles apart on each multiprocessor\n";
        const fs::path shipped = resource_folder() / record.file;
        const Result<std::string> source =
            read_text_file(fs::exists(shipped, failed) ? shipped : fs::path(record.file));
        std::cout << session::table_of(*record.lines, source ? *source : "");
    }
}

// Prints what the CPU machine counts beside what the GPU measured, for each file and size.
void show_counters(const session::TimingReport& report) {
    for (const session::TimingRecord& record : report.timings) {
        if (!record.counters && record.counters_error.empty()) continue;
        std::cout << '\n' << record.file << session::parameters_text(record) << '\n';
        if (!record.counters)
            std::cout << "  no counters: " << record.counters_error << '\n';
        else
            std::cout << session::table_of(*record.counters);
    }
}

// Prints the times of these files, or their counters, from the recordings that ship with the program.
void show_recorded(const TimeOptions& options) {
    std::error_code failed;
    std::vector<fs::path> recordings;
    const char* kind = options.counters ? "counters" : "timings";
    for (fs::directory_iterator entry(resource_folder() / "assets" / kind, failed), end;
         !failed && entry != end; entry.increment(failed))
        if (kind_of(entry->path()) == FileKind::json) recordings.push_back(entry->path());
    std::sort(recordings.begin(), recordings.end());
    for (const fs::path& path : recordings) {
        const Result<std::string> text = read_text_file(path);
        if (!text) continue;
        Result<session::TimingReport> report = session::timing_report_of(*text, path.string());
        if (!report) {
            std::cerr << to_text(report.diagnostics());
            continue;
        }
        const auto asked_for = [&](const session::TimingRecord& record) {
            return std::any_of(options.files.begin(), options.files.end(), [&](const std::string& file) {
                return fs::equivalent(resource_folder() / record.file, file, failed);
            });
        };
        std::erase_if(report->timings, [&](const auto& record) { return !asked_for(record); });
        if (report->timings.empty()) continue;
        std::cout << session::table_of(*report, true);
        if (options.lines) show_lines(*report);
        if (options.counters) show_counters(*report);
    }
}

// What the recording has so far; empty if there is none yet. Error: it is another file.
Result<session::TimingReport> recorded_so_far(const TimeOptions& options) {
    std::error_code failed;
    if (options.record.empty() || !fs::exists(options.record, failed)) return session::TimingReport{};
    const Result<std::string> text = read_text_file(options.record);
    return text ? session::timing_report_of(*text, options.record) : text.diagnostics();
}

}  // namespace

void TimeOptions::add_to(CLI::App& app) {
    app.add_option("FILE", files, "the .cu files to time")->required()->transform(or_shipped());
    app.add_option("--set", settings, "set a parameter: n=1024, n=2^20")->allow_extra_args(false);
    app.add_option("--sweep", sweeps,
                   "time several values: n=2^10..2^28 (powers of two), or block=32,128,512")
        ->allow_extra_args(false);
    compiling.add_to(app, CompileOptions::Target::fixed);
    runs = gpu::min_runs;
    run_limit_s = 10;
    app.add_option("--runs", runs, "the number of timed runs, at least 21")
        ->check(CLI::Range(gpu::min_runs, 100'000))
        ->capture_default_str();
    app.add_option("--run-limit", run_limit_s, "a run of more seconds counts as one that never ends")
        ->check(CLI::Range(0.001, 3600.0))
        ->capture_default_str();
    app.add_option("--device", device, "the GPU, by CUDA's number")
        ->check(CLI::Range(0, 1023))
        ->capture_default_str();
    app.add_option(
           "--gpu", gpu,
           "where the GPU is, instead of in this machine: ssh:HOST, local (in a process of its own), or a\n"
           "command that starts 'lanescope __device' on a machine with a GPU")
        ->type_name("PLACE");
    app.add_flag("--no-peers", no_peers, "leave out the libraries");
    app.add_flag("--lines", lines, "also show on which lines the time goes, and why");
    CLI::Option* counting = app.add_flag(
        "--counters", counters, "also show the GPU's own counters beside what the CPU machine counts");
    app.add_flag("--no-counts", no_counts,
                 "with --counters: leave out what the CPU machine counts, which takes long for large inputs")
        ->needs(counting);
    CLI::Option* roofline_flag =
        app.add_flag("--roofline", roofline,
                     "show operations for each byte and a second, beside the ceilings of the GPU; FILE may\n"
                     "also be a topic: convolution");
    roofline_flag->excludes("--lines")->excludes("--counters")->excludes("--gpu");
    app.add_flag("--recorded", recorded, "with --roofline: show what was recorded, also beside a GPU")
        ->needs(roofline_flag);
    app.add_option(
           "--record", record,
           "also add the times to this recording of one GPU, a JSON file that is made if there is none")
        ->type_name("FILE.json")
        ->excludes(roofline_flag);
    app.add_flag("--json", json, "print JSON");
}

int time_command(const TimeOptions& options) {
    Result<session::TimeRequest> request = request_of(options);
    if (!options.gpu.empty())
        if (const Result<void> sound = gpu::check_place(options.gpu); !sound)
            return fail(sound.diagnostics());
    if (request && options.roofline) return roofline_command(options, *request);
    const Result<std::vector<std::string>> checked =
        request ? session::check_time_request(*request) : request.diagnostics();
    if (!checked) return fail(checked.diagnostics());
    if (const Result<void> sound = check_outputs({{"--record", options.record, {FileKind::json}}},
                                                 {options.files.begin(), options.files.end()});
        !sound)
        return fail(sound.diagnostics());
    const Result<session::TimingReport> before = recorded_so_far(options);
    if (!before) return fail(before.diagnostics());
    StatusLine progress;
    std::shared_ptr<gpu::ServedProgram> elsewhere;
    if (!options.gpu.empty()) {
        progress.show("connecting with " + options.gpu + " …");
        Result<std::shared_ptr<gpu::ServedProgram>> found = find_place(options.gpu, *request);
        progress.clear();
        if (!found) return fail(found.diagnostics(), no_engine);
        elsewhere = std::move(*found);
    } else if (const Result<std::string> possible = session::timing_possible(); !possible) {
        std::cerr << to_text(possible.diagnostics().front()) << '\n';
        if (!options.json) show_recorded(options);
        return no_engine;
    }
    for (const std::string& note : *checked)
        std::cerr << note << '\n';
    request->tell = [&](const std::string& words) {
        const std::string received =
            elsewhere ? ", " + received_text(elsewhere->received_bytes()) + " from " + options.gpu : "";
        progress.show(words + received + " …");
    };
    const auto done = [&](const session::TimingRecord& record) {
        progress.clear();
        std::cerr << record.file << (record.timed() ? "" : ": " + record.error) << std::endl;
    };
    const Result<session::TimingReport> report = session::time_files(*request, done);
    progress.clear();
    if (!report) return fail(report.diagnostics());
    if (options.json)
        std::cout << session::to_json(*report).dump(1) << '\n';
    else
        std::cout << session::table_of(*report);
    if (!options.json && options.lines) show_lines(*report);
    if (!options.json && options.counters) show_counters(*report);
    if (!options.record.empty()) {
        session::TimingReport all = *report;
        Result<void> written = session::add_older(all, *before);
        if (written) written = write_file(options.record, session::to_json(all).dump(1) + "\n");
        if (!written) return fail(written.diagnostics());
    }
    const bool wrong = std::any_of(report->timings.begin(), report->timings.end(),
                                   [](const session::TimingRecord& record) { return record.failed(); });
    return wrong ? check_failed : fine;
}

}  // namespace lanescope
