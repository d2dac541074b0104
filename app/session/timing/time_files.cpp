#include "session/timing/time_files.h"
#include "base/file_kind.h"
#include "base/number_text.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "base/folders.h"
#include "base/process.h"
#include "compile/compiler.h"
#include "execution/run/launch_arguments.h"
#include "execution/run/run.h"
#include "gpu/driver/device_query.h"
#include "gpu/driver/driver.h"
#include "lesson/course/registry.h"
#include "session/timing/time_parcel.h"

namespace lanescope::session {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct FilePlan {
    std::string file, shown;
    std::string source;
    lesson::FrontMatter front;
    bool proposed = false;
    std::vector<lesson::ParameterValues> points;
    std::vector<std::string> notes;
};

Result<FilePlan> plan_of(const std::string& file, const TimeRequest& request) {
    FilePlan plan;
    plan.file = file;
    plan.shown = recorded_name(file);
    if (kind_of(file) == FileKind::ptx)
        return error_at(file, 0, 0, "a PTX file is not timed", "time a .cu file, or use run --engine gpu");
    Result<std::string> source = request.text ? Result<std::string>(*request.text) : read_text_file(file);
    if (!source) return source.diagnostics();
    Result<lesson::FrontMatter> front = execution::front_matter_of(
        *source, file, {request.flags, request.kernel, request.launch}, plan.proposed);
    if (!front) return front.diagnostics();
    plan.source = std::move(*source);
    Result<std::vector<lesson::ParameterValues>> points =
        points_of(*front, file, request.parameters, request.sweeps, plan.notes);
    if (!points) return points.diagnostics();
    plan.points = std::move(*points);
    // Checks only the parameters: contents may be large, and are made where they are used.
    for (const auto& [name, value] : request.parameters) {
        bool known = false;
        for (const lesson::Parameter& parameter : front->parameters) {
            if (parameter.name != name) continue;
            known = true;
            if (const std::string why = lesson::why_not(parameter, value); !why.empty())
                return error_at(file, parameter.line, 0, "parameter '" + name + "': " + why);
        }
        if (!known) return error_at(file, 0, 0, "unknown parameter '" + name + "'");
    }
    plan.front = std::move(*front);
    return plan;
}

// The cost that the file states, else the one that the course states, with the file that states it.
Json cost_json(const FilePlan& plan) {
    const auto json_of = [](const lesson::Cost& cost, const std::string& file) {
        const auto place = [](const lesson::Expression& each) {
            return Json{{"text", each.text}, {"line", each.line}, {"column", each.column}};
        };
        return Json{{"bytes", place(cost.bytes)},
                    {"operations", place(cost.operations)},
                    {"peer", cost.peer},
                    {"file", file}};
    };
    const lesson::Cost& own = plan.front.cost;
    if (!own.bytes.text.empty() || !own.operations.text.empty() || !own.peer.empty())
        return json_of(own, plan.file);
    const lesson::LessonEntry* entry = lesson::lesson_entry(plan.file);
    if (!entry) return json_of(own, plan.file);
    return json_of(entry->cost, (entry->path.parent_path() / "lesson.toml").string());
}

std::string packed(const Json& request) {
    std::string bytes;
    Json::to_msgpack(request, bytes);
    return bytes;
}

// `heard`: called with each part of the answer; the time limit begins anew then.
Result<ProcessOutcome> run_on_this_machine(const std::string& input, int limit_ms,
                                           const std::atomic<bool>* cancel,
                                           const std::function<void(std::string_view)>& heard) {
    constexpr std::uint64_t max_answer_bytes = 256ull << 20;
    return run_process({executable_path().string(), "__time"}, input, limit_ms, max_answer_bytes, cancel, {},
                       false, heard);
}

std::string died_of(const ProcessOutcome& outcome) {
    if (outcome.timed_out) return "the process that timed it did not end and was killed";
    if (outcome.too_much_output) return "the process that timed it printed too much and was killed";
    if (outcome.signal != 0)
        return "the process that timed it was ended by signal " + std::to_string(outcome.signal);
    return "the process that timed it ended with code " + std::to_string(outcome.exit_code);
}

std::string one_line(std::string words) {
    while (!words.empty() && words.back() == '\n')
        words.pop_back();
    return words.starts_with("error: ") ? words.substr(7) : words;
}

class FileRun {
  public:
    FileRun(const FilePlan& plan, const TimeRequest& request, TimingReport& report,
            const std::function<void(const TimingRecord&)>& done, const std::atomic<bool>* cancel)
        : plan_(plan), request_(request), report_(report), done_(done), cancel_(cancel) {}

    // Starts a process for the sizes that are left, until none is left.
    Result<void> run() {
        while (next_ < plan_.points.size()) {
            const std::size_t before = next_;
            if (request_.place && parcel_.is_null()) {
                tell("compiling " + plan_.shown);
                Result<TimeParcel> parcel = make_time_parcel(
                    plan_.source, plan_.file, plan_.front, plan_.proposed,
                    "sm_" + std::to_string(request_.place->compute_capability), request_.flags);
                if (!parcel) return fail_all(to_text(parcel.diagnostics()));
                parcel_ = to_json(*parcel);
            }
            tell_size(next_);
            const auto heard = [this, sizes = next_](std::string_view lines) mutable {
                for (std::size_t at = 0; (at = lines.find(timing_line, at)) != lines.npos; ++at)
                    ++sizes;
                if (sizes > next_ && sizes < plan_.points.size()) tell_size(sizes);
            };
            Result<ProcessOutcome> outcome = run_worker(request_json(points_left()), heard);
            if (!outcome) return outcome.diagnostics();
            if (outcome->cancelled) return error("cancelled");
            if (Result<void> read = read_lines(outcome->out); !read) return read;
            if (next_ == before) add(failed_record(died_of(*outcome)));
        }
        return {};
    }

  private:
    void tell(const std::string& words) const {
        if (request_.tell) request_.tell(words);
    }

    void tell_size(std::size_t index) const {
        const std::size_t all = plan_.points.size();
        tell("timing " + plan_.shown +
             (all > 1 ? ", size " + std::to_string(index + 1) + " of " + std::to_string(all) : ""));
    }

    // Another place answers only at the end, so that its time limit is that of all sizes.
    Result<ProcessOutcome> run_worker(const Json& request,
                                      const std::function<void(std::string_view)>& heard = {}) const {
        const auto limit_ms = [&](std::size_t sizes) {
            return static_cast<int>(
                std::min(seconds_of_process + static_cast<double>(sizes) * seconds_of_size(), 86'400.0) *
                1000);
        };
        return request_.place
                   ? request_.place->run(packed(request), limit_ms(plan_.points.size() - next_), cancel_)
                   : run_on_this_machine(packed(request), limit_ms(1), cancel_, heard);
    }

    Json points_left() const {
        Json points = Json::array();
        for (std::size_t i = next_; i < plan_.points.size(); ++i)
            points.push_back(Json(plan_.points[i]));
        return points;
    }

    Json request_json(const Json& points) const {
        return Json{{"file", plan_.file},
                    {"source", parcel_.is_null() ? plan_.source : std::string()},
                    {"cost", cost_json(plan_)},
                    {"parcel", parcel_},
                    {"shown", plan_.shown},
                    {"points", points},
                    {"runs", request_.runs},
                    {"peers", request_.peers},
                    {"run_limit_s", request_.run_limit_s},
                    {"device", request_.device},
                    {"include_folders", request_.flags.include_folders},
                    {"definitions", request_.flags.definitions},
                    {"standard", request_.flags.standard},
                    {"kernel", request_.kernel},
                    {"grid", request_.launch.grid},
                    {"block", request_.launch.block},
                    {"shared", request_.launch.shared},
                    {"counts", request_.launch.counts},
                    {"fills", request_.launch.fills}};
    }

    // Profiles one size in a process of its own: the profiler would change the times of later sizes. Returns
    // the answer's value of `key`; `why`: why there is none. Error: cancelled.
    Result<Json> profiled(const Json& request, const char* key, std::string& why) const {
        const Result<ProcessOutcome> outcome = run_worker(request);
        if (!outcome) return outcome.diagnostics();
        if (outcome->cancelled) return error("cancelled");
        std::istringstream lines(outcome->out);
        for (std::string line; std::getline(lines, line);) {
            const Json json = Json::parse(line, nullptr, false);
            if (!json.is_object()) break;
            if (json.contains("failed") && json["failed"].is_string()) {
                why = one_line(json["failed"].get<std::string>());
                return Json();
            }
            if (json.contains(key)) return json[key];
        }
        why = died_of(*outcome);
        return Json();
    }

    Result<void> add_lines(TimingRecord& record) const {
        Json request = request_json(Json::array({Json(record.parameters)}));
        request["sample_ms"] = record.timing.median_ms;
        tell("sampling the lines of " + plan_.shown + parameters_text(record));
        const Result<Json> answer = profiled(request, "lines", record.lines_error);
        if (!answer) return answer.diagnostics();
        if (!record.lines_error.empty()) return {};
        Result<LineTimes> read = line_times_of(*answer, "the samples of " + plan_.shown);
        if (!read) return read.diagnostics();
        record.lines = std::move(*read);
        return {};
    }

    Result<void> add_counters(TimingRecord& record) const {
        Json request = request_json(Json::array({Json(record.parameters)}));
        request["count"] = true;
        tell("reading counters of " + plan_.shown + parameters_text(record));
        const Result<Json> answer = profiled(request, "counters", record.counters_error);
        if (!answer) return answer.diagnostics();
        if (!record.counters_error.empty()) return {};
        Result<CounterComparison> read = counter_comparison_of(*answer, "the counters of " + plan_.shown);
        if (!read) return read.diagnostics();
        record.counters = std::move(*read);
        if (request_.counts_limit_s <= 0) return {};
        tell("counting " + plan_.shown + parameters_text(record) + " on the CPU machine");
        count(record);
        return {};
    }

    // Runs the same optimised code on the CPU machine and adds its counts.
    void count(TimingRecord& record) const {
        std::string& why = record.counters->counted_error;
        execution::RunRequest request;
        request.file = plan_.file;
        request.source = plan_.source;
        request.parameters = record.parameters;
        request.code = compile::Code::optimized;
        request.flags = request_.flags;
        request.kernel = request_.kernel;
        request.launch = request_.launch;
        request.limits.seconds = request_.counts_limit_s;
        const Result<execution::RunResult> run = execution::execute(request, cancel_);
        if (!run) {
            why = one_line(to_text(run.diagnostics()));
            return;
        }
        const bool ended = std::none_of(run->problems.begin(), run->problems.end(), [](const auto& problem) {
            return problem.kind == trace::ProblemKind::timeout ||
                   problem.kind == trace::ProblemKind::step_limit;
        });
        if (run->narrowed || !run->trace || !ended)
            why = "the run is too large for the CPU machine; set a smaller input";
        else
            add_counts(*record.counters, run->report.launches, !run->console.empty());
    }

    // The process watches its kernels itself; these limits are for a process that fails to: to start and
    // compile, and for one size.
    static constexpr double seconds_of_process = 60;
    double seconds_of_size() const { return 180 + 4 * request_.run_limit_s; }

    Result<void> read_lines(const std::string& out) {
        std::istringstream lines(out);
        for (std::string line; std::getline(lines, line);) {
            const Json json = Json::parse(line, nullptr, false);
            if (!json.is_object())
                return error("the process that times '" + plan_.file + "' did not answer with JSON");
            if (json.contains("failed")) return fail_all(json["failed"].get<std::string>());
            if (json.contains("device")) {
                Result<TimedDevice> device = timed_device_of(json["device"]);
                if (!device) return device.diagnostics();
                device->toolkit = report_.device.toolkit;
                report_.device = std::move(*device);
            }
            if (!json.contains("timing")) continue;
            Result<TimingRecord> record = timing_record_of(json["timing"]);
            if (!record) return record.diagnostics();
            record->text_hash = text_hash_;
            if (request_.lines && record->timed())
                if (Result<void> sampled = add_lines(*record); !sampled) return sampled;
            if (request_.counters && record->timed() &&
                (!request_.counters_of || request_.counters_of(*record)))
                if (Result<void> counted = add_counters(*record); !counted) return counted;
            add(std::move(*record));
        }
        return {};
    }

    TimingRecord failed_record(std::string why) const {
        TimingRecord record;
        record.file = plan_.shown;
        record.parameters = plan_.points[next_];
        record.expected_problems = plan_.front.expected_problems;
        record.error = one_line(std::move(why));
        return record;
    }

    // A failure before the first launch is a failure of every size.
    Result<void> fail_all(const std::string& why) {
        while (next_ < plan_.points.size())
            add(failed_record(why));
        return {};
    }

    void add(TimingRecord record) {
        ++next_;
        report_.timings.push_back(std::move(record));
        if (done_) done_(report_.timings.back());
    }

    static constexpr std::string_view timing_line = "{\"timing\":";

    const FilePlan& plan_;
    const std::string text_hash_ = content_hash(plan_.source);
    const TimeRequest& request_;
    TimingReport& report_;
    const std::function<void(const TimingRecord&)>& done_;
    const std::atomic<bool>* cancel_;
    std::size_t next_ = 0;  // the first size without a record
    Json parcel_;           // for another place; null: none
};

}  // namespace

Result<TimingPlace> timing_place(TimingPlace::Run run, int device) {
    constexpr int limit_ms = 120'000;
    const Result<ProcessOutcome> outcome =
        run(packed({{"device", device}, {"ask", "compute_capability"}}), limit_ms, nullptr);
    if (!outcome) return outcome.diagnostics();
    const Json json = Json::parse(outcome->out, nullptr, false);
    if (json.is_object() && json.contains("failed") && json["failed"].is_string())
        return error(one_line(json["failed"].get<std::string>()));
    if (!json.is_object() || !json.contains("compute_capability") ||
        !json["compute_capability"].is_number_integer())
        return error(died_of(*outcome));
    return TimingPlace{std::move(run), json["compute_capability"].get<int>()};
}

std::string recorded_name(const std::string& file) {
    std::error_code failed;
    const fs::path home = fs::weakly_canonical(resource_folder(), failed);
    const fs::path path = fs::weakly_canonical(file, failed);
    const fs::path inside = path.lexically_relative(home);
    return !inside.empty() && *inside.begin() == "kernels" ? inside.string() : file;
}

Result<std::string> timing_possible() {
    const Result<std::shared_ptr<const gpu::Driver>> driver = gpu::Driver::open();
    if (!driver) return driver.diagnostics();
    const Result<compile::Toolkit> toolkit = compile::find_toolkit();
    if (!toolkit) return toolkit.diagnostics();
    Result<gpu::DeviceQuery> device = gpu::query_device(**driver, 0);
    if (!device) return device.diagnostics();
    return std::move(device->name);
}

Result<std::vector<std::string>> check_time_request(const TimeRequest& request) {
    std::vector<std::string> notes;
    for (const std::string& file : request.files) {
        Result<FilePlan> plan = plan_of(file, request);
        if (!plan) return plan.diagnostics();
        notes.insert(notes.end(), plan->notes.begin(), plan->notes.end());
    }
    return notes;
}

Result<TimingReport> time_files(const TimeRequest& request,
                                const std::function<void(const TimingRecord&)>& done,
                                const std::atomic<bool>* cancel) {
    std::vector<FilePlan> plans;
    for (const std::string& file : request.files) {
        Result<FilePlan> plan = plan_of(file, request);
        if (!plan) return plan.diagnostics();
        plans.push_back(std::move(*plan));
    }
    const Result<compile::Toolkit> toolkit = compile::find_toolkit();
    if (!toolkit) return toolkit.diagnostics();
    TimingReport report;
    report.date = utc_now();
    report.device.toolkit = toolkit->version;
    for (const FilePlan& plan : plans)
        if (Result<void> timed = FileRun(plan, request, report, done, cancel).run(); !timed)
            return timed.diagnostics();
    return report;
}

}  // namespace lanescope::session
