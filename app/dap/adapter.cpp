#include "dap/adapter.h"

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "scene/words/problem_words.h"

namespace lanescope::dap {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_stops = 1000, most_frames = 256, most_targets = 100;
constexpr std::int64_t file_source = 1, ptx_source = 2;

std::string words_of(const Diagnostics& problems) {
    constexpr std::string_view prefix = "error: ";  // the editor says so
    std::string words;
    for (const Diagnostic& each : problems) {
        const std::string text = lanescope::to_text(each);
        words += (words.empty() ? "" : "\n") + text.substr(text.starts_with(prefix) ? prefix.size() : 0);
    }
    return words;
}

std::string words_of_filter(trace::ProblemKind kind) {
    std::string words = trace::kind_words(kind);
    if (!words.empty()) words.front() = upper_case(words.front());
    return words;
}

}  // namespace

Adapter::Adapter(Services services, std::shared_ptr<const lesson::Registry> registry, Send send)
    : services_(std::move(services)), send_(std::move(send)), session_(std::move(registry)) {}

Adapter::~Adapter() = default;

const std::vector<Adapter::Request>& Adapter::requests() {
    using enum Needs;
    static const std::vector<Request> table{
        {"initialize", &Adapter::initialize, nothing},
        {"launch", &Adapter::launch, nothing},
        {"attach", &Adapter::attach, nothing},
        {"restart", &Adapter::restart, nothing},
        {"configurationDone", &Adapter::configuration_done, nothing},
        {"disconnect", &Adapter::disconnect, nothing},
        {"terminate", &Adapter::terminate, nothing},
        {"cancel", &Adapter::cancel, nothing},
        {"setBreakpoints", &Adapter::set_breakpoints, nothing},
        {"setFunctionBreakpoints", &Adapter::set_function_breakpoints, nothing},
        {"setDataBreakpoints", &Adapter::set_data_breakpoints, nothing},
        {"dataBreakpointInfo", &Adapter::data_breakpoint_info, stop},
        {"setExceptionBreakpoints", &Adapter::set_exception_breakpoints, nothing},
        {"breakpointLocations", &Adapter::breakpoint_locations, run},
        {"exceptionInfo", &Adapter::exception_info, stop},
        {"threads", &Adapter::threads, nothing},
        {"stackTrace", &Adapter::stack_trace, stop},
        {"scopes", &Adapter::scopes, stop},
        {"variables", &Adapter::variables, stop},
        {"evaluate", &Adapter::evaluate, stop},
        {"setVariable", &Adapter::set_variable, nothing},
        {"setExpression", &Adapter::set_variable, nothing},
        {"next", &Adapter::next, stop},
        {"stepIn", &Adapter::step_in, stop},
        {"stepOut", &Adapter::step_out, stop},
        {"stepBack", &Adapter::step_back, stop},
        {"continue", &Adapter::go_on, stop},
        {"reverseContinue", &Adapter::go_back, stop},
        {"pause", &Adapter::pause, nothing},
        {"gotoTargets", &Adapter::goto_targets, stop},
        {"goto", &Adapter::go_to, stop},
        {"source", &Adapter::source, run},
        {"loadedSources", &Adapter::loaded_sources, nothing},
        {"lanescope/picture", &Adapter::picture, stop},
        {"lanescope/position", &Adapter::position, stop},
        {"lanescope/seek", &Adapter::seek, stop},
        {"lanescope/focus", &Adapter::focus, stop},
    };
    return table;
}

// --- Messages ----------------------------------------------------------------------------------------------

void Adapter::event(const char* name, Json body) {
    send_({{"type", "event"}, {"event", name}, {"body", std::move(body)}});
}

void Adapter::answer(const Json& request, const Result<Json>& result) {
    Json message = {{"type", "response"},
                    {"request_seq", number_of(request, "seq")},
                    {"command", text_of(request, "command", "unknown")},
                    {"success", result.ok()}};
    if (result) {
        message["body"] = *result;
    } else {
        const std::string words = words_of(result.diagnostics());
        message["message"] = words;
        message["body"] = {{"error", {{"id", 1}, {"format", words}, {"showUser", true}}}};
        // A format's {names} are variables, so that braces in the words stand in one.
        if (words.find('{') != std::string::npos) {
            message["body"]["error"]["format"] = "{words}";
            message["body"]["error"]["variables"] = {{"words", words}};
        }
    }
    send_(std::move(message));
}

void Adapter::tell_error(const Diagnostic& problem) {
    print("stderr", lanescope::to_text(problem) + "\n");
}

void Adapter::print(const std::string& category, const std::string& text, std::uint32_t line) {
    if (text.empty()) return;
    Json body = {{"category", category}, {"output", text}};
    if (line > 0) {
        body["source"] = source_json();
        body["line"] = line - (from_zero_lines_ ? 1 : 0);
    }
    event("output", std::move(body));
}

void Adapter::take(const Json& message) {
    if (!message.is_object() || text_of(message, "type") != "request" ||
        !part_of(message, "command").is_string()) {
        if (text_of(message, "type") != "response")  // to a request of this adapter, which makes none
            tell_error(error("a message is not a request of the Debug Adapter Protocol",
                             "it must be a JSON object with seq, type and command"));
        return;
    }
    const std::string name = text_of(message, "command");
    const auto& table = requests();
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Request& each) { return name == each.command; });
    if (found == table.end())
        return answer(message, error("the request '" + name.substr(0, 100) + "' is not supported"));
    if (!initialized_ && name != "initialize" && name != "disconnect")
        return answer(message, error("the first request must be 'initialize', not '" + name + "'"));
    const bool stands = state_ == State::stopped;
    if (found->needs == Needs::run && !session_.trace())
        return answer(message, error("'" + name + "' needs a run", "the request 'launch' makes one"));
    if (found->needs == Needs::stop && !stands)
        return answer(message,
                      error(session_.trace() ? "'" + name + "' needs a run that stands; pause it first"
                                             : "'" + name + "' needs a run",
                            session_.trace() ? "" : "the request 'launch' makes one"));
    deferred_ = false;
    then_ = {};
    const Result<Json> result = (this->*found->answer)(part_of(message, "arguments"));
    if (deferred_) {
        waiting_ = message;
        return;
    }
    answer(message, result);
    if (const auto then = std::exchange(then_, {})) then();
}

Result<Json> Adapter::initialize(const Json& arguments) {
    if (initialized_) return error("the session is initialized already");
    initialized_ = true;
    from_zero_lines_ = !flag_of(arguments, "linesStartAt1", true);
    tells_progress_ = flag_of(arguments, "supportsProgressReporting");
    tells_invalidated_ = flag_of(arguments, "supportsInvalidatedEvent");
    Json filters = Json::array();
    std::set<std::string> usual;
    for (const trace::ProblemKind kind : stopping_kinds()) {
        filters.push_back({{"filter", trace::to_text(kind)},
                           {"label", words_of_filter(kind)},
                           {"default", stops_by_default(kind)}});
        if (stops_by_default(kind)) usual.insert(trace::to_text(kind));
    }
    stops_.ask_problems(std::move(usual));
    Json capabilities = {{"exceptionBreakpointFilters", std::move(filters)}};
    for (const char* name :
         {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints", "supportsConditionalBreakpoints",
          "supportsHitConditionalBreakpoints", "supportsEvaluateForHovers", "supportsStepBack",
          "supportsGotoTargetsRequest", "supportsRestartRequest", "supportsValueFormattingOptions",
          "supportsExceptionInfoRequest", "supportsDelayedStackTraceLoading", "supportsLoadedSourcesRequest",
          "supportsLogPoints", "supportsTerminateRequest", "supportsDataBreakpoints", "supportsCancelRequest",
          "supportsBreakpointLocationsRequest", "supportsSteppingGranularity", "supportsClipboardContext"})
        capabilities[name] = true;
    return capabilities;
}

Result<Json> Adapter::attach(const Json&) {
    return error("a kernel on the CPU machine cannot be attached to",
                 "use a configuration with \"request\": \"launch\"");
}

Result<Json> Adapter::set_variable(const Json&) {
    return error("the run is recorded, so that values cannot be set",
                 "change the source, or parameters with \"set\", and restart");
}

Result<Json> Adapter::disconnect(const Json&) {
    jobs_.cancel("run");
    then_ = [this] {
        if (state_ != State::ended) event("terminated");
        state_ = State::ended;
        over_ = true;
    };
    return Json::object();
}

Result<Json> Adapter::terminate(const Json&) {
    jobs_.cancel("run");
    cancelled_ = true;
    then_ = [this] {
        if (state_ == State::ended) return;
        state_ = State::ended;
        event("exited", {{"exitCode", session_.run() && session_.run()->fine() ? 0 : 1}});
        event("terminated");
    };
    return Json::object();
}

// The run of a request, or of a progress.
Result<Json> Adapter::cancel(const Json& arguments) {
    const std::string progress = text_of(arguments, "progressId");
    const bool of_run = waiting_ && part_of(arguments, "requestId").is_number_integer() &&
                        number_of(arguments, "requestId") == number_of(*waiting_, "seq");
    if (state_ == State::running && (of_run || (!progress.empty() && progress == progress_))) {
        cancelled_ = true;
        jobs_.cancel("run");
        then_ = [this] { finish_run({error("cancelled")}); };
    }
    return Json::object();
}

// --- Breakpoints -------------------------------------------------------------------------------------------

bool Adapter::same_file(const std::string& path) const {
    const std::string own = text_of(source_json(), "path");
    if (own.empty() || path.empty()) return false;
    std::error_code ignored;
    return fs::path(own).lexically_normal() == fs::path(path).lexically_normal() ||
           fs::equivalent(own, path, ignored);
}

Json Adapter::stops_json(Stops::Kind kind) const {
    Json list = Json::array();
    for (const AskedStop& stop : stops_.asked(kind)) {
        Json made = {{"id", stop.id}, {"verified", stop.verified()}};
        const std::uint32_t line = stop.made.line != 0 ? stop.made.line : stop.line;
        if (line != 0) {
            made["line"] = line - (from_zero_lines_ ? 1 : 0);
            made["source"] = source_json();
        }
        if (!stop.refused.empty()) made["message"] = stop.refused;
        list.push_back(std::move(made));
    }
    return list;
}

Result<Json> Adapter::set_breakpoints(const Json& arguments) {
    const Json& source = part_of(arguments, "source");
    const std::string path = text_of(source, "path");
    const bool ours =
        !session_.trace() || same_file(path) || number_of(source, "sourceReference") == file_source;
    Json others = Json::array();
    std::vector<AskedStop> wanted;
    for (const Json& each : list_of(arguments, "breakpoints")) {
        if (!ours) {
            others.push_back({{"verified", false},
                              {"message", "this file is not part of the run; its file is " +
                                              text_of(source_json(), "name")}});
            continue;
        }
        if (wanted.size() >= most_stops) return error("there are more than 1000 breakpoints");
        AskedStop stop;
        stop.id = next_id_++;
        const std::int64_t line = number_of(each, "line") + (from_zero_lines_ ? 1 : 0);
        stop.line = static_cast<std::uint32_t>(std::clamp<std::int64_t>(line, 1, INT32_MAX));
        stop.condition = text_of(each, "condition");
        stop.count_text = text_of(each, "hitCondition");
        stop.message = text_of(each, "logMessage");
        wanted.push_back(std::move(stop));
    }
    if (!ours) return Json{{"breakpoints", std::move(others)}};
    if (!session_.trace()) {  // which file runs is known after the run
        early_[path] = std::move(wanted);
        Json list = Json::array();
        for (const AskedStop& stop : early_[path])
            list.push_back({{"id", stop.id}, {"verified", false}, {"message", "the run has not ended yet"}});
        return Json{{"breakpoints", std::move(list)}};
    }
    stops_.ask(Stops::Kind::line, std::move(wanted));
    stops_.fit(session_);
    return Json{{"breakpoints", stops_json(Stops::Kind::line)}};
}

Result<Json> Adapter::set_function_breakpoints(const Json& arguments) {
    std::vector<AskedStop> wanted;
    for (const Json& each : list_of(arguments, "breakpoints")) {
        if (wanted.size() >= most_stops) return error("there are more than 1000 breakpoints");
        AskedStop stop;
        stop.id = next_id_++;
        stop.function = text_of(each, "name");
        stop.condition = text_of(each, "condition");
        stop.count_text = text_of(each, "hitCondition");
        wanted.push_back(std::move(stop));
    }
    stops_.ask(Stops::Kind::function, std::move(wanted));
    stops_.fit(session_);
    return Json{{"breakpoints", stops_json(Stops::Kind::function)}};
}

Result<Json> Adapter::set_data_breakpoints(const Json& arguments) {
    std::vector<AskedStop> wanted;
    for (const Json& each : list_of(arguments, "breakpoints")) {
        if (wanted.size() >= most_stops) return error("there are more than 1000 breakpoints");
        AskedStop stop;
        stop.id = next_id_++;
        stop.cell = text_of(each, "dataId");
        stop.condition = text_of(each, "condition");
        stop.count_text = text_of(each, "hitCondition");
        if (text_of(each, "accessType", "write") != "write")
            return error("a breakpoint on a cell stops at its writes only", "use the access type 'write'");
        wanted.push_back(std::move(stop));
    }
    stops_.ask(Stops::Kind::cell, std::move(wanted));
    stops_.fit(session_);
    return Json{{"breakpoints", stops_json(Stops::Kind::cell)}};
}

Result<Json> Adapter::data_breakpoint_info(const Json& arguments) {
    const std::string name = text_of(arguments, "name");
    std::string cell;
    if (const std::int64_t reference = number_of(arguments, "variablesReference"); reference > 0) {
        cell = values_.cell_of_child(reference, name);
    } else {
        const Result<LanePick> pick = pick_asked(arguments);
        if (!pick) return pick.diagnostics();
        cell = values_.cell(name, *pick);
        if (cell.empty() && session::cell_named(*session_.trace(), name)) cell = name;
    }
    if (cell.empty())
        return Json{{"dataId", nullptr},
                    {"description", name + " is not one cell of global or shared memory"}};
    return Json{{"dataId", cell}, {"description", "writes of " + cell}, {"accessTypes", {"write"}}};
}

Result<Json> Adapter::set_exception_breakpoints(const Json& arguments) {
    std::set<std::string> kinds;
    Json list = Json::array();
    const auto add = [&](const std::string& name) {
        const std::vector<trace::ProblemKind> known = stopping_kinds();
        const bool there = std::any_of(known.begin(), known.end(),
                                       [&](trace::ProblemKind kind) { return name == trace::to_text(kind); });
        if (there) kinds.insert(name);
        list.push_back({{"verified", there}});
        if (!there) list.back()["message"] = "there is no kind of problem with the name " + name;
    };
    for (const Json& each : list_of(arguments, "filters"))
        if (each.is_string()) add(each.get<std::string>());
    for (const Json& each : list_of(arguments, "filterOptions"))
        add(text_of(each, "filterId"));
    stops_.ask_problems(std::move(kinds));
    return Json{{"breakpoints", std::move(list)}};
}

Result<Json> Adapter::breakpoint_locations(const Json& arguments) {
    Json list = Json::array();
    const std::int64_t zero = from_zero_lines_ ? 1 : 0, first = number_of(arguments, "line") + zero;
    const std::int64_t last = number_of(arguments, "endLine", first - zero) + zero;
    for (std::int64_t line = std::max<std::int64_t>(first, 1); line <= std::min(last, first + 10'000); ++line)
        if (session::line_with_code(*session_.trace(), static_cast<std::uint32_t>(line)) ==
            static_cast<std::uint32_t>(line))
            list.push_back({{"line", line - zero}});
    return Json{{"breakpoints", std::move(list)}};
}

Result<Json> Adapter::exception_info(const Json&) {
    if (!problem_) return error("the run does not stand at a problem");
    std::string where = scene::site_words(problem_->first);
    if (problem_->second.line != 0) where += "\n" + scene::site_words(problem_->second);
    if (!problem_->remedy.empty()) where += "\n" + problem_->remedy;
    return Json{{"exceptionId", trace::to_text(problem_->kind)},
                {"description", problem_->message},
                {"breakMode", "always"},
                {"details",
                 {{"message", problem_->message + (problem_->remedy.empty() ? "" : "\n" + problem_->remedy)},
                  {"typeName", scene::title_words(*problem_)},
                  {"stackTrace", where}}}};
}

// --- What is shown -----------------------------------------------------------------------------------------

Result<Json> Adapter::threads(const Json&) {
    Json list = Json::array();
    const session::StepState* now = session_.playhead().step_state();
    if (!now || state_ == State::running || state_ == State::ready)
        return Json{{"threads", {{{"id", 1}, {"name", "the run"}}}}};
    for (std::uint32_t warp = 0; warp < now->launch->warps_per_block(); ++warp)
        list.push_back({{"id", thread_id(session_, warp)}, {"name", warp_name(session_, warp)}});
    return Json{{"threads", std::move(list)}};
}

Result<std::uint32_t> Adapter::warp_asked(const Json& arguments) const {
    if (!part_of(arguments, "threadId").is_number_integer()) return warp_of_step(session_);
    const auto warp = warp_of(session_, number_of(arguments, "threadId"));
    if (!warp)
        return error("thread " + std::to_string(number_of(arguments, "threadId")) +
                         " is not in the block that is shown",
                     "type 'focus block N' in the debug console");
    return *warp;
}

Result<LanePick> Adapter::pick_asked(const Json& arguments) const {
    const std::int64_t frame = number_of(arguments, "frameId");
    if (frame >= 1 && frame <= static_cast<std::int64_t>(frames_.size()))
        return frames_[static_cast<std::size_t>(frame - 1)];
    if (frame != 0) return error("this frame belongs to an earlier position");
    const std::uint32_t warp = warp_of_step(session_);
    return frames_of(session_, warp).front().pick;
}

Json Adapter::source_json() const {
    const execution::RunResult* run = session_.run();
    std::string path =
        run && !run->lines_file.empty() ? run->lines_file : session_.document().path().string();
    if (path.empty()) path = text_of(launch_arguments_, "program");
    if (path.empty()) return Json::object();
    Json made = {{"name", fs::path(path).filename().string()}};
    std::error_code ignored;
    const bool readable = session_.document().read_only() ? false : fs::is_regular_file(path, ignored);
    const std::string kernels = session_.trace() ? session_.trace()->program.source.path : std::string();
    if (readable) {
        made["path"] = path;
    } else if (fs::is_regular_file(kernels, ignored)) {  // a saved trace's source is still there
        made = {{"name", fs::path(kernels).filename().string()},
                {"path", fs::absolute(kernels, ignored).string()}};
    } else {
        made["sourceReference"] = file_source;
    }
    return made;
}

Result<Json> Adapter::stack_trace(const Json& arguments) {
    const Result<std::uint32_t> warp = warp_asked(arguments);
    if (!warp) return warp.diagnostics();
    const std::vector<Frame> frames = frames_of(session_, *warp);
    const std::size_t first =
        static_cast<std::size_t>(std::max<std::int64_t>(number_of(arguments, "startFrame"), 0));
    std::int64_t levels = number_of(arguments, "levels");
    if (levels <= 0) levels = static_cast<std::int64_t>(most_frames);
    Json list = Json::array();
    for (std::size_t i = first; i < frames.size() && static_cast<std::int64_t>(list.size()) < levels; ++i) {
        const Frame& frame = frames[i];
        frames_.push_back(frame.pick);
        std::string name = frame.function;
        if (i == 0) name += " · " + thread_name(session_, frame.pick);
        if (i == 0 && at_end_) name += " · the end";
        Json made = {{"id", frames_.size()}, {"name", name}, {"line", 0}, {"column", 0}};
        if (frame.line > 0) {
            made["line"] = frame.line - (from_zero_lines_ ? 1 : 0);
            made["source"] = source_json();
        } else {
            made["presentationHint"] = "subtle";
        }
        if (frame.pc != trace::none && frame.pc < session_.trace()->program.code_rows.size())
            made["instructionPointerReference"] = "pc" + std::to_string(frame.pc);
        list.push_back(std::move(made));
    }
    return Json{{"stackFrames", std::move(list)}, {"totalFrames", frames.size()}};
}

Result<Json> Adapter::scopes(const Json& arguments) {
    const Result<LanePick> pick = pick_asked(arguments);
    if (!pick) return pick.diagnostics();
    return Json{{"scopes", values_.scopes(*pick)}};
}

Result<Json> Adapter::variables(const Json& arguments) {
    Result<Json> list =
        values_.children(number_of(arguments, "variablesReference"), number_of(arguments, "start"),
                         number_of(arguments, "count"), flag_of(part_of(arguments, "format"), "hex"));
    if (!list) return list;
    return Json{{"variables", std::move(*list)}};
}

Result<Json> Adapter::evaluate(const Json& arguments) {
    const std::string expression(trimmed(text_of(arguments, "expression")));
    constexpr std::size_t most_characters = 10'000;
    if (expression.empty()) return error("an expression is missing");
    if (expression.size() > most_characters) return error("the expression is longer than 10000 characters");
    if (text_of(arguments, "context") == "repl")
        if (std::optional<Result<Json>> done = command(expression)) return std::move(*done);
    const Result<LanePick> pick = pick_asked(arguments);
    if (!pick) return pick.diagnostics();
    return values_.evaluate(expression, *pick, flag_of(part_of(arguments, "format"), "hex"));
}

Result<Json> Adapter::source(const Json& arguments) {
    std::int64_t reference = number_of(part_of(arguments, "source"), "sourceReference");
    if (reference == 0) reference = number_of(arguments, "sourceReference");
    if (reference == ptx_source)
        return Json{{"content", session_.trace()->program.ptx}, {"mimeType", "text/x-ptx"}};
    if (reference == file_source)
        return Json{{"content", session_.run()->text_of_lines()}, {"mimeType", "text/x-cuda"}};
    return error("there is no source with this reference");
}

Result<Json> Adapter::loaded_sources(const Json&) {
    Json list = Json::array();
    if (session_.trace()) {
        list.push_back(source_json());
        list.push_back({{"name", "PTX"}, {"sourceReference", ptx_source}, {"origin", "compiled"}});
    }
    return Json{{"sources", std::move(list)}};
}

// --- Lanescope's own requests ------------------------------------------------------------------------------

Result<Json> Adapter::picture(const Json& arguments) {
    constexpr std::int64_t least = 320, most = 4096;
    Services::Picture wanted;
    wanted.view = text_of(arguments, "view", wanted.view);
    wanted.theme = text_of(arguments, "theme", wanted.theme);
    wanted.width = static_cast<int>(std::clamp(number_of(arguments, "width", wanted.width), least, most));
    wanted.height = static_cast<int>(std::clamp(number_of(arguments, "height", wanted.height), least, most));
    wanted.alone = flag_of(arguments, "alone", true);
    wanted.vector = text_of(arguments, "format", "png") == "svg";
    const Result<std::string> drawn = services_.draw(session_, wanted);
    if (!drawn) return drawn.diagnostics();
    Json made = position_json();
    made["mimeType"] = wanted.vector ? "image/svg+xml" : "image/png";
    made["data"] = base64(*drawn);
    return made;
}

Result<Json> Adapter::position(const Json&) {
    return position_json();
}

Result<Json> Adapter::seek(const Json& arguments) {
    const std::int64_t step = number_of(arguments, "step");
    const auto count = static_cast<std::int64_t>(session_.playhead().steps().size());
    if (step < 1 || step > count)
        return error("step " + std::to_string(step) + " does not exist",
                     "the run has steps 1 to " + std::to_string(count));
    move_to(static_cast<std::size_t>(step - 1));
    then_ = [this] { tell_stopped("goto"); };
    return position_json();
}

Result<Json> Adapter::focus(const Json& arguments) {
    const session::StepState* now = session_.playhead().step_state();
    const std::int64_t block = number_of(arguments, "block", now->step.block);
    if (block != std::int64_t{now->step.block}) {
        if (block < 0 || block >= static_cast<std::int64_t>(now->launch->grid.count()) ||
            !now->launch->records(static_cast<std::uint32_t>(block)))
            return error("block " + std::to_string(block) + " is not recorded",
                         "the grid has " + std::to_string(now->launch->grid.count()) + " blocks");
        session_.apply(session::FocusBlock{static_cast<std::uint32_t>(block)});
        now = session_.playhead().step_state();
    }
    const std::int64_t warp = number_of(arguments, "warp", warp_of_step(session_));
    const std::int64_t lane = number_of(arguments, "lane", 0);
    if (warp < 0 || warp >= static_cast<std::int64_t>(now->warps.size()))
        return error("warp " + std::to_string(warp) + " does not exist",
                     "the block has warps 0 to " + std::to_string(now->warps.size() - 1));
    if (lane < 0 || lane >= static_cast<std::int64_t>(trace::warp_size) ||
        now->warps[static_cast<std::size_t>(warp)][static_cast<std::size_t>(lane)].status ==
            trace::LaneStatus::absent)
        return error("lane " + std::to_string(lane) + " does not exist in warp " + std::to_string(warp));
    session_.apply(session::PinLane{static_cast<std::uint32_t>(warp), static_cast<std::uint32_t>(lane)});
    then_ = [this] { tell_stopped("goto", "focus"); };
    return position_json();
}

// Steps of a line, each a visit of it.
Result<Json> Adapter::goto_targets(const Json& arguments) {
    const std::int64_t zero = from_zero_lines_ ? 1 : 0, line = number_of(arguments, "line") + zero;
    const std::string path = text_of(part_of(arguments, "source"), "path");
    if (!path.empty() && !same_file(path)) return Json{{"targets", Json::array()}};
    const std::uint32_t code =
        line >= 1 && line < INT32_MAX
            ? session::line_with_code(*session_.trace(), static_cast<std::uint32_t>(line))
            : 0;
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < session_.playhead().steps().size() && code != 0; ++i)
        if (session_.playhead().steps()[i].line == code) steps.push_back(i);
    // Those nearest to the position, if there are too many.
    if (steps.size() > most_targets) {
        const auto here =
            std::lower_bound(steps.begin(), steps.end(), session_.playhead().step_state()->index);
        const auto at = static_cast<std::size_t>(here - steps.begin());
        const std::size_t first =
            std::min(at > most_targets / 2 ? at - most_targets / 2 : 0, steps.size() - most_targets);
        steps = {steps.begin() + static_cast<std::ptrdiff_t>(first),
                 steps.begin() + static_cast<std::ptrdiff_t>(first + most_targets)};
    }
    Json list = Json::array();
    targets_.clear();
    for (const std::size_t step : steps) {
        targets_.emplace_back(step + 1, step);
        list.push_back({{"id", step + 1},
                        {"label", "step " + std::to_string(step + 1) + ", phase " +
                                      std::to_string(session_.playhead().steps()[step].phase)},
                        {"line", code - zero}});
    }
    return Json{{"targets", std::move(list)}};
}

Result<Json> Adapter::go_to(const Json& arguments) {
    const auto id = static_cast<std::size_t>(std::max<std::int64_t>(number_of(arguments, "targetId"), 0));
    const auto found =
        std::find_if(targets_.begin(), targets_.end(), [&](const auto& each) { return each.first == id; });
    if (found == targets_.end()) return error("this target is not one of the last gotoTargets");
    move_to(found->second);
    then_ = [this] { tell_stopped("goto"); };
    return Json::object();
}

}  // namespace lanescope::dap
