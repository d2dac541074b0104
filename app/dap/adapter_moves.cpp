// Adapter: steps, and runs to what stops.
#include <algorithm>

#include "dap/adapter.h"
#include "scene/stage/step_sentence.h"
#include "scene/words/block_words.h"
#include "scene/words/problem_words.h"
#include "session/playhead/call_steps.h"
#include "session/report/report.h"

namespace lanescope::dap {

Json Adapter::position_json() const {
    const session::StepState& now = *session_.playhead().step_state();
    return {{"step", now.index + 1},
            {"steps", session_.playhead().steps().size()},
            {"line", now.step.line},
            {"phase", now.step.phase},
            {"block", now.step.block},
            {"warp", warp_of_step(session_)},
            {"atEnd", at_end_},
            {"heading", scene::step_heading(session_)},
            {"sentence", scene::step_sentence(session_)}};
}

void Adapter::tell_stopped(const std::string& reason, const std::string& words, Json more) {
    state_ = State::stopped;
    const session::StepState& now = *session_.playhead().step_state();
    const std::uint64_t turns = at_end_                               ? ~0ull
                                : session_.playhead().stands_before() ? now.step.first
                                                                      : now.step.end;
    for (const std::size_t until = scene::lines_until(lines_, turns); printed_ < until; ++printed_) {
        const scene::ConsoleLine& line = lines_[printed_];
        print(line.failure ? "stderr" : "stdout", line.text + "\n", line.site.line);
    }
    Json body = {{"reason", reason},
                 {"threadId", thread_id(session_, warp_of_step(session_))},
                 {"allThreadsStopped", true}};
    if (!words.empty()) body["description"] = body["text"] = words;
    body.update(more);
    event("stopped", std::move(body));
    event("lanescope/position", position_json());
}

// --- Positions ---------------------------------------------------------------------------------------------

void Adapter::forget_position() {
    at_end_ = false;
    problem_ = nullptr;
    values_.forget();
    frames_.clear();
    targets_.clear();
}

void Adapter::move_to(std::size_t step) {
    forget_position();
    if (session_.playhead().by_instruction()) session_.apply(session::StepInstructions{false});
    session_.apply(session::ShowBefore{!after_});
    session_.apply(session::SeekStep{step});
}

void Adapter::move_to_end() {
    move_to(session_.playhead().steps().size() - 1);
    session_.apply(session::ShowBefore{false});
    at_end_ = true;
}

// Says so if the step that was reached has a problem.
void Adapter::arrive(const std::string& reason) {
    const trace::Step& step = session_.playhead().step_state()->step;
    if (!at_end_)
        if (const trace::Problem* problem =
                stops_.problem_between(*session_.run(), step.first, step.end, false);
            problem && problem->first.block != trace::none)
            return stop_at(*problem);
    tell_stopped(reason, at_end_ ? "the end of the run; to continue ends the session" : "");
}

void Adapter::begin() {
    move_to(0);
    const trace::Step first = session_.playhead().step_state()->step;
    if (stop_on_entry_) return tell_stopped("entry");
    if (!stop_between(first.first, first.end)) {
        move_to(0);
        travel(false);
    }
}

// --- Steps -------------------------------------------------------------------------------------------------

Result<Json> Adapter::next(const Json& arguments) {
    return step(arguments, Depth::same, false);
}

Result<Json> Adapter::step_in(const Json& arguments) {
    return step(arguments, Depth::any, false);
}

Result<Json> Adapter::step_out(const Json& arguments) {
    return step(arguments, Depth::caller, false);
}

Result<Json> Adapter::step_back(const Json& arguments) {
    return step(arguments, Depth::same, true);
}

// A line with a call has a step before the call and one after it. To step over the line passes both.
std::size_t Adapter::past_call(std::size_t there, session::CallStep wanted) const {
    const std::vector<trace::Step>& steps = session_.playhead().steps();
    const std::size_t here = session_.playhead().step_state()->index;
    wanted.from = there;
    const std::optional<std::size_t> further = session::find_call_step(session_.playhead(), wanted);
    if (!further) return there;
    if (wanted.back)
        return *further + 1 < there && steps[*further].line == steps[there].line ? *further : there;
    return here + 1 < there && steps[here].line == steps[there].line ? *further : there;
}

// A step is the next one in which the thread's warp runs; a warp that has ended leaves that to the others.
Result<Json> Adapter::step(const Json& arguments, Depth depth, bool back) {
    const Result<std::uint32_t> warp = warp_asked(arguments);
    if (!warp) return warp.diagnostics();
    const session::Playhead& playhead = session_.playhead();
    if (session_.selection().warp != *warp) session_.apply(session::PinLane{*warp, lane_of(session_, *warp)});
    if (text_of(arguments, "granularity") == "instruction") {
        then_ = [this, back] { step_instruction(back); };
        return Json::object();
    }
    then_ = [this, &playhead, warp = *warp, depth, back] {
        if (at_end_) {
            if (back) move_to(playhead.steps().size() - 1);
            return arrive("step");
        }
        constexpr int deepest = 255;
        const int now = session::call_depth(playhead, warp);
        if (depth == Depth::caller && now == 0) return travel(back);
        session::CallStep wanted{depth == Depth::any    ? deepest
                                 : depth == Depth::same ? now
                                                        : now - 1,
                                 back, warp};
        std::optional<std::size_t> there = session::find_call_step(playhead, wanted);
        if (there && depth == Depth::same) there = past_call(*there, wanted);
        if (!there) {
            wanted = {deepest, back, std::nullopt};
            there = session::find_call_step(playhead, wanted);
        }
        if (!there && back) return tell_stopped("step", "the beginning of the run");
        if (there && !back && *there > playhead.step_state()->index + 1 &&
            stop_between(playhead.step_state()->step.end, playhead.steps()[*there].first))
            return;
        if (there)
            move_to(*there);
        else
            move_to_end();
        arrive("step");
    };
    return Json::object();
}

void Adapter::step_instruction(bool back) {
    if (at_end_ && !back) return arrive("step");
    forget_position();
    if (!session_.playhead().by_instruction()) session_.apply(session::StepInstructions{true});
    session_.apply(session::StepBy{back ? -1 : 1});
    session_.apply(session::ShowBefore{!after_});
    tell_stopped("step");
}

// --- To what stops -----------------------------------------------------------------------------------------

Result<Json> Adapter::go_on(const Json&) {
    then_ = [this] { at_end_ ? end_session() : travel(false); };
    return Json{{"allThreadsContinued", true}};
}

Result<Json> Adapter::go_back(const Json&) {
    then_ = [this] {
        if (at_end_) {
            move_to(session_.playhead().steps().size() - 1);
            const trace::Step last = session_.playhead().step_state()->step;
            if (stop_between(last.first, last.end)) return;
            move_to(session_.playhead().steps().size() - 1);
        }
        travel(true);
    };
    return Json::object();
}

Result<Json> Adapter::pause(const Json&) {
    if (state_ == State::running) {
        cancelled_ = true;
        jobs_.cancel("run");
        session_.apply(session::CancelRun{});
        then_ = [this] { finish_run({error("cancelled")}); };
        return Json::object();
    }
    if (state_ == State::travelling) {
        session_.apply(session::StopSearch{});
        then_ = [this] { tell_stopped("pause"); };
    }
    return Json::object();
}

void Adapter::travel(bool back) {
    const trace::Step& now = session_.playhead().step_state()->step;
    travel_ = {back, back ? 0 : now.end, back ? now.first : session_.trace()->turns.size()};
    forget_position();
    state_ = State::travelling;
    if (session_.playhead().by_instruction()) session_.apply(session::StepInstructions{false});
    session_.apply(session::ShowBefore{!after_});
    session_.apply(session::Continue{back});
}

void Adapter::continue_travel() {
    const session::BreakHit* hit = session_.search().hit();
    const trace::Step here = session_.playhead().step_state()->step;
    const std::uint64_t first = hit && travel_.back ? here.first : travel_.first;
    const std::uint64_t end = hit && !travel_.back ? here.end : travel_.end;
    if (const trace::Problem* problem = stops_.problem_between(*session_.run(), first, end, travel_.back))
        return stop_at(*problem);
    if (hit) {
        forget_position();
        if (tell_hit(session::BreakHit(*hit))) return;
        return travel(travel_.back);
    }
    if (travel_.back) {
        move_to(0);
        return tell_stopped("entry", "the beginning of the run");
    }
    move_to_end();
    print("console", session::report_text(*session_.run()));
    arrive("pause");
}

// Goes to the first place in these turns that stops. False: there is none, and the position may have moved.
bool Adapter::stop_between(std::uint64_t first, std::uint64_t end) {
    const trace::Problem* problem = stops_.problem_between(*session_.run(), first, end, false);
    const std::uint64_t limit = problem ? *turn_of(*problem) : end;
    while (first < limit) {
        session::BreakpointScan scan(session_.playhead().run()->trace,
                                     {.breakpoints = session_.marks().breakpoints(),
                                      .focus_block = session_.playhead().block(),
                                      .first = first,
                                      .end = limit,
                                      .before = !after_});
        auto progress = session::BreakpointScan::Progress::going_on;
        while (progress == session::BreakpointScan::Progress::going_on)
            progress = scan.run(std::chrono::seconds(1));
        if (progress == session::BreakpointScan::Progress::nothing) break;
        forget_position();
        session_.apply(session::SeekTurn{scan.found_turn()});
        const trace::Step step = session_.playhead().step_state()->step;
        if (tell_hit(scan.hit(step))) return true;
        first = std::max(step.end, scan.found_turn() + 1);
    }
    if (problem) stop_at(*problem);
    return problem != nullptr;
}

// True: it stops there.
bool Adapter::tell_hit(const session::BreakHit& hit) {
    const Stops::Hit judged = stops_.judge(session_, hit);
    for (std::uint32_t warp = 0; warp < hit.lanes.size(); ++warp)
        if (hit.lanes[warp] != 0) {  // the pinned lane stays if it is one of them
            const session::Selection& pinned = session_.selection();
            const bool among = pinned.warp < hit.lanes.size() && (hit.lanes[pinned.warp] >> pinned.lane & 1);
            if (!among)
                session_.apply(
                    session::PinLane{warp, static_cast<std::uint32_t>(std::countr_zero(hit.lanes[warp]))});
            break;
        }
    const LanePick pick{warp_of_step(session_), lane_of(session_, warp_of_step(session_))};
    for (const std::string& message : judged.messages)
        print("console", filled(message, pick) + "\n", hit.line);
    if (!judged.stops) return false;
    const char* reason = judged.data       ? "data breakpoint"
                         : judged.function ? "function breakpoint"
                                           : "breakpoint";
    std::string words;
    if (!hit.cell.empty()) words = "writes " + hit.cell;
    tell_stopped(reason, words, {{"hitBreakpointIds", judged.ids}});
    return true;
}

void Adapter::stop_at(const trace::Problem& problem) {
    forget_position();
    const std::uint64_t turn = *turn_of(problem);
    session_.apply(session::ShowBefore{!after_});
    session_.apply(session::SeekTurn{turn});
    const trace::ProblemSite& site = problem.second.turn == turn ? problem.second : problem.first;
    if (site.thread != trace::none)
        session_.apply(session::PinLane{site.thread / trace::warp_size, site.thread % trace::warp_size});
    problem_ = &problem;
    tell_stopped("exception", scene::title_words(problem), {{"text", problem.message}});
}

// A log message with the values of its {expressions}; {{ and }} are braces.
std::string Adapter::filled(const std::string& message, const LanePick& pick) {
    std::string text;
    for (std::size_t at = 0; at < message.size(); ++at) {
        const std::size_t end = message.find('}', at);
        if (message.compare(at, 2, "{{") == 0 || message.compare(at, 2, "}}") == 0 || message[at] != '{' ||
            end == std::string::npos) {
            if (message.compare(at, 2, "{{") == 0 || message.compare(at, 2, "}}") == 0) ++at;
            text += message[at];
            continue;
        }
        const Result<Json> value = values_.evaluate(message.substr(at + 1, end - at - 1), pick, false);
        text += value ? text_of(*value, "result") : "{" + value.diagnostics().front().message + "}";
        at = end;
    }
    return text;
}

}  // namespace lanescope::dap
