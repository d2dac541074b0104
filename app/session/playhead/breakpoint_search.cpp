#include "session/playhead/breakpoint_search.h"

#include <algorithm>

namespace lanescope::session {

namespace {

constexpr std::chrono::microseconds at_once(6000);  // most searches end within it

}  // namespace

void BreakpointSearch::start(std::vector<Breakpoint> breakpoints, bool back, std::uint32_t line) {
    stop();
    hit_.reset();
    line_ = line;
    back_ = back;
    const StepState* now = playhead_.step_state();
    if (!now) return;
    if (std::none_of(breakpoints.begin(), breakpoints.end(),
                     [](const Breakpoint& each) { return each.enabled; }))
        return end_without_hit("no breakpoint is set (click a line's number or a cell)", "");
    for (const Breakpoint& each : breakpoints) {
        if (each.enabled && !each.cell.empty())
            if (const Result<NamedCell> cell = cell_named(*playhead_.run()->trace, each.cell); !cell)
                return say(each.cell + ": " + cell.diagnostics().front().message);
        if (!each.enabled || each.condition.empty()) continue;
        if (const Result<execution::LaneExpression> parsed = execution::LaneExpression::parse(each.condition);
            !parsed)
            return say("line " + std::to_string(each.line) + ": " + parsed.diagnostics().front().message);
    }
    BreakpointScan::Request request;
    request.breakpoints = std::move(breakpoints);
    request.focus_block = playhead_.block();
    request.first = back ? 0 : now->step.end;
    request.end = back ? now->step.first : playhead_.run()->trace->turns.size();
    request.back = back;
    request.before = playhead_.shows_before();
    search_ = std::make_unique<BreakpointScan>(playhead_.run()->trace, std::move(request));
    advance(at_once);
}

void BreakpointSearch::stop() {
    search_.reset();
    note_.clear();
}

bool BreakpointSearch::advance(std::chrono::microseconds budget) {
    if (!search_) return false;
    switch (search_->run(budget)) {
        case BreakpointScan::Progress::going_on:
            return true;
        case BreakpointScan::Progress::found:
            if (!playhead_.replay()->is_near(search_->found_turn(), search_->found_turn() + 1)) return true;
            show_hit();
            break;
        case BreakpointScan::Progress::nothing:
            search_.reset();
            end_without_hit(
                line_ != 0 ? "line " + std::to_string(line_) + " does not run" : "no breakpoint stops",
                back_ ? " before this step" : " after this step");
            break;
    }
    return true;
}

void BreakpointSearch::show_hit() {
    const std::unique_ptr<BreakpointScan> found = std::move(search_);
    const std::uint64_t turn = found->found_turn();
    // Steps that hold more than one line would hide where the search stopped.
    if (playhead_.granularity() > trace::Granularity::line)
        playhead_.set_granularity(trace::Granularity::line);
    const trace::Trace& trace = *playhead_.run()->trace;
    const trace::Turn& there = trace.turns[turn];
    const std::uint32_t launch = trace.launch_of(turn);
    const auto shows_turn = [&] {
        const trace::Step& at = playhead_.steps()[trace::step_at(playhead_.steps(), turn)];
        return at.launch == launch && at.block == there.block && at.first <= turn && turn < at.end;
    };
    if (!shows_turn()) playhead_.focus_block(there.block);
    playhead_.seek(trace::step_at(playhead_.steps(), turn));
    const StepState* now = playhead_.step_state();
    const bool arrived = now && now->step.first <= turn && turn < now->step.end;
    if (!arrived || !shows_turn()) return;
    hit_ = std::make_unique<BreakHit>(found->hit(now->step));
    hit_at_ = playhead_.moves();
}

// Without a breakpoint ahead a run goes on to its end.
void BreakpointSearch::end_without_hit(const std::string& why, const std::string& from_here) {
    if (line_ != 0 || back_) return say(why + from_here);
    playhead_.seek(playhead_.steps().size() - 1);
    say("the end of the run: " + why);
}

void BreakpointSearch::say(std::string note) {
    note_ = std::move(note);
    said_at_ = playhead_.moves();
}

const BreakHit* BreakpointSearch::hit() const {
    return hit_at_ == playhead_.moves() ? hit_.get() : nullptr;
}

std::string BreakpointSearch::note() const {
    return said_at_ == playhead_.moves() ? note_ : std::string();
}

}  // namespace lanescope::session
