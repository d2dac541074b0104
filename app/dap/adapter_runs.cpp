// Adapter: runs.
#include <chrono>

#include "base/jobs.h"
#include "dap/adapter.h"
#include "program/report.h"
#include "scene/words/verdict.h"
#include "session/report/report.h"

namespace lanescope::dap {

namespace fs = std::filesystem;

namespace {

constexpr const char* run_tag = "run";

double now_s() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string word_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_number_integer() || value.is_boolean() ? value.dump() : std::string();
}

// The command line of `lanescope run` that the configuration describes.
Result<std::vector<std::string>> words_of(const Json& arguments) {
    std::string file = text_of(arguments, "program");
    if (file.empty())
        return error("the configuration names no file",
                     "add \"program\": \"${file}\", a .cu, .ptx or .trace file");
    if (const std::string folder = text_of(arguments, "cwd"); !folder.empty() && fs::path(file).is_relative())
        file = (fs::path(folder) / file).string();
    std::error_code ignored;
    std::vector<std::string> words{fs::absolute(file, ignored).lexically_normal().string()};
    if (!fs::is_regular_file(words.front(), ignored))
        return error_at(words.front(), 0, 0, "there is no such file");
    const Json& set = part_of(arguments, "set");
    if (set.is_object())
        for (const auto& [name, value] : set.items())
            words.insert(words.end(), {"--set", name + "=" + word_of(value)});
    for (const Json& each : list_of(arguments, "set"))
        words.insert(words.end(), {"--set", word_of(each)});
    for (const char* name : {"engine", "code", "schedule", "kernel"})
        if (const std::string value = text_of(arguments, name); !value.empty())
            words.insert(words.end(), {std::string("--") + name, value});
    for (const Json& each : list_of(arguments, "options"))
        words.push_back(word_of(each));
    return words;
}

}  // namespace

Result<Json> Adapter::launch(const Json& arguments) {
    if (state_ != State::fresh) return error("the session has a run already", "use 'restart'");
    return start(arguments);
}

Result<Json> Adapter::restart(const Json& arguments) {
    if (state_ == State::fresh || state_ == State::running) return error("there is no run to restart");
    const Json& changed = part_of(arguments, "arguments");
    return start(changed.is_object() && changed.contains("program") ? changed : Json(launch_arguments_));
}

Result<Json> Adapter::start(const Json& arguments) {
    const Result<std::vector<std::string>> words = words_of(arguments);
    if (!words) return words.diagnostics();
    const std::string values = text_of(arguments, "values", "before");
    if (values != "before" && values != "after")
        return error("\"values\" must be \"before\" or \"after\", not \"" + values + "\"");
    launch_arguments_ = arguments;
    after_ = values == "after";
    stop_on_entry_ = flag_of(arguments, "stopOnEntry", true);
    if (state_ == State::travelling) session_.apply(session::StopSearch{});
    state_ = State::running;
    cancelled_ = opening_ = false;
    ran_.reset();
    opened_.reset();
    deferred_ = true;
    const bool asked = !list_of(arguments, "args").empty() ||
                       !word_of(part_of(arguments, "launch")).empty() || flag_of(arguments, "check");
    if (services_.is_program(words->front(), asked)) {
        start_program(*words);
        return Json();
    }
    jobs_.start(run_tag, [this, words = *words](JobContext& context) -> Jobs::Completion {
        auto result = std::make_shared<Result<execution::RunResult>>(
            services_.run(words, &context.cancel_flag(), [&context](execution::RunPhase phase, float share) {
                context.report(share, static_cast<int>(phase));
            }));
        return [this, result] { ran_ = std::move(*result); };
    });
    return Json();
}

void Adapter::start_program(std::vector<std::string> words) {
    Result<session::ProgramRequest> request = services_.program(words);
    if (!request) {
        ran_ = request.diagnostics();
        return;
    }
    for (const Json& each : list_of(launch_arguments_, "args"))
        request->arguments.push_back(word_of(each));
    if (const std::string launch = word_of(part_of(launch_arguments_, "launch")); !launch.empty())
        request->launches = {launch};
    request->check = flag_of(launch_arguments_, "check");
    program_ = *request;
    jobs_.start(run_tag, [this, wanted = *request](JobContext& context) -> Jobs::Completion {
        session::Unattended unattended;
        unattended.cancel = &context.cancel_flag();
        unattended.tell = [&context](session::ProgramPhase phase) {
            context.report(0, static_cast<int>(phase));
        };
        auto result =
            std::make_shared<Result<session::OpenedProgram>>(session::open_program(wanted, &unattended));
        return [this, result] { opened_ = std::move(*result); };
    });
}

int Adapter::advance() {
    constexpr int soon_ms = 10;
    if (state_ == State::travelling) {
        session_.update(now_s());
        if (!session_.search().searching()) continue_travel();
        return state_ == State::travelling ? 0 : -1;
    }
    if (state_ != State::running) return -1;
    jobs_.poll();
    if (opening_) {
        session_.update(now_s());
        if (session_.runner().busy() || session_.runner().counting() || session_.launches().recording())
            return soon_ms;
        opening_ = false;
        finish_run(session_.launches().problems().empty() ? session_.diagnostics()
                                                          : session_.launches().problems());
        return 0;
    }
    if (ran_) {
        if (*ran_) session_.set_run(std::move(**ran_));
        finish_run(*ran_ ? Diagnostics() : ran_->diagnostics());
        return 0;
    }
    if (opened_) {
        if (!*opened_) {
            finish_run(opened_->diagnostics());
            return 0;
        }
        session::OpenedProgram& opened = **opened_;
        print("stdout", opened.run.process.out);
        print("stderr", opened.run.process.err);
        print("console", program::report_text(opened.run, ""));
        if (opened.trace.empty()) {
            finish_run(opened.problems.empty() ? Diagnostics{error_at(opened.file.string(), 0, 0,
                                                                      "the program launches no kernel")}
                                               : opened.problems);
            return 0;
        }
        session_.set_program(std::move(opened), program_);
        session_.apply(session::OpenFile{program_.file});
        opening_ = true;
        return 0;
    }
    static constexpr const char* phases[] = {"compiles", "runs", "counts", "connects"};
    const auto phase = static_cast<std::size_t>(jobs_.phase(run_tag));
    tell_progress(phases[std::min(phase, std::size(phases) - 1)], jobs_.share(run_tag));
    return soon_ms;
}

void Adapter::tell_progress(const std::string& words, float share) {
    if (!tells_progress_) return;
    const int percent = static_cast<int>(share * 100);
    if (progress_.empty()) {
        progress_ = "run " + std::to_string(next_id_++);
        Json body = {
            {"progressId", progress_}, {"title", "Lanescope"}, {"message", words}, {"cancellable", true}};
        event("progressStart", std::move(body));
    } else if (percent != told_percent_) {
        event("progressUpdate", {{"progressId", progress_}, {"message", words}, {"percentage", percent}});
    }
    told_percent_ = percent;
}

void Adapter::end_progress() {
    if (!progress_.empty()) event("progressEnd", {{"progressId", progress_}});
    progress_.clear();
}

void Adapter::finish_run(const Diagnostics& problems) {
    end_progress();
    ran_.reset();
    opened_.reset();
    const std::optional<Json> request = std::exchange(waiting_, std::nullopt);
    if (!problems.empty()) {
        state_ = session_.trace() && configured_ ? State::stopped : State::fresh;  // an earlier run stays
        if (request)
            answer(*request, problems);
        else
            print("stderr", lanescope::to_text(problems));
        return;
    }
    const bool first = request && text_of(*request, "command") == "launch";
    if (request) answer(*request, Json::object());
    show_run();
    if (state_ == State::ended) return;
    state_ = State::ready;
    if (first) event("initialized");
    if (configured_) begin();
}

void Adapter::show_run() {
    forget_position();
    for (auto& [path, wanted] : early_)
        if (same_file(path)) stops_.ask(Stops::Kind::line, std::move(wanted));
    early_.clear();
    stops_.fit(session_);
    tell_stops();
    const execution::RunResult& run = *session_.run();
    lines_ = scene::console_lines(run);
    printed_ = 0;
    if (!run.trace || run.trace->turns.empty() || session_.playhead().steps().empty()) {
        for (const trace::Problem& each : run.problems)
            print("stderr", each.message + "\n", each.first.line);
        print("stderr", "nothing was recorded, so that there are no steps\n");
        return end_session();
    }
    print("console", scene::provenance(*run.trace) + " · " +
                         std::to_string(session_.playhead().steps().size()) + " steps · " +
                         scene::verdict(run).text + "\n");
    for (const trace::Problem& each : run.problems)
        print(each.note ? "console" : "stderr", each.message + "\n", each.first.line);
    if (flag_of(launch_arguments_, "noDebug")) {
        print("stdout", run.console);
        print("console", session::report_text(run));
        end_session();
    }
}

void Adapter::end_session() {
    if (state_ == State::ended) return;
    state_ = State::ended;
    event("exited", {{"exitCode", session_.run() && session_.run()->fine() ? 0 : 1}});
    event("terminated");
}

void Adapter::tell_stops() {
    for (const Stops::Kind kind : {Stops::Kind::line, Stops::Kind::function, Stops::Kind::cell})
        for (const Json& each : stops_json(kind))
            event("breakpoint", {{"reason", "changed"}, {"breakpoint", each}});
}

Result<Json> Adapter::configuration_done(const Json&) {
    configured_ = true;
    if (state_ == State::ready) then_ = [this] { begin(); };
    return Json::object();
}

}  // namespace lanescope::dap
