// Breakpoints, watches, and steps of single instructions.
#include <algorithm>

#include "analysis/executed_pcs.h"
#include "session/lanes/lane_scope.h"
#include "session/state.h"

namespace lanescope::session {

namespace {

constexpr std::chrono::microseconds at_once(6000);  // most searches end within it
constexpr std::size_t most_expressions = 256;

template <class Event>
void keep_only(std::vector<Event>& events, std::size_t ordinal) {
    std::erase_if(events, [&](const Event& event) { return event.ordinal != ordinal; });
}

}  // namespace

// --- Breakpoints and watches -------------------------------------------------------------------------------

FileMarks& Session::State::marks_here() {
    return marks[path.string()];
}

std::uint32_t Session::State::line_with_code(std::uint32_t line) const {
    if (!run || !run->trace) return 0;
    std::uint32_t best = 0;
    for (const trace::CodeRow& row : run->trace->program.code_rows)
        if (row.line >= line && (best == 0 || row.line < best)) best = row.line;
    return best;
}

void Session::State::toggle_breakpoint(std::uint32_t line) {
    std::vector<Breakpoint>& all = marks_here().breakpoints;
    const auto on_line = [](std::uint32_t wanted) {
        return [wanted](const Breakpoint& each) { return each.line == wanted; };
    };
    if (std::erase_if(all, on_line(line)) != 0) return;
    // Without a run nothing says which lines have code: the breakpoint stays where it was put.
    if (const std::uint32_t first = line_with_code(line); run && run->trace) line = first;
    if (line != 0 && std::none_of(all.begin(), all.end(), on_line(line))) set_breakpoint({line, {}, true});
}

void Session::State::set_breakpoint(Breakpoint breakpoint) {
    std::vector<Breakpoint>& all = marks_here().breakpoints;
    const auto at =
        std::lower_bound(all.begin(), all.end(), breakpoint,
                         [](const Breakpoint& a, const Breakpoint& b) { return a.line < b.line; });
    if (at != all.end() && at->line == breakpoint.line)
        *at = std::move(breakpoint);
    else
        all.insert(at, std::move(breakpoint));
}

const Result<LaneExpression>& Session::State::expression(const std::string& text) {
    if (const auto known = expressions.find(text); known != expressions.end()) return known->second;
    if (expressions.size() >= most_expressions) expressions.clear();
    return expressions.emplace(text, LaneExpression::parse(text)).first->second;
}

// --- The search --------------------------------------------------------------------------------------------

void Session::State::run_to_line(std::uint32_t line, bool back) {
    const std::uint32_t first = line_with_code(line);
    if (first != 0) start_search({{first, {}, true}}, back, first);
}

void Session::State::start_search(std::vector<Breakpoint> breakpoints, bool back, std::uint32_t line) {
    stop_search();
    hit.reset();
    playing = false;
    searched_line = line;
    searching_back = back;
    if (!step_state) return;
    const bool any = std::any_of(breakpoints.begin(), breakpoints.end(),
                                 [](const Breakpoint& each) { return each.enabled; });
    if (!any) {
        search_note = "there is no breakpoint: click a line number to set one";
        return;
    }
    for (const Breakpoint& each : breakpoints)
        if (const auto& parsed = expression(each.condition);
            each.enabled && !each.condition.empty() && !parsed) {
            search_note = "line " + std::to_string(each.line) + ": " + parsed.diagnostics().front().message;
            return;
        }
    BreakSearch::Request request;
    request.breakpoints = std::move(breakpoints);
    request.focus_block = selection.block;
    request.first = back ? 0 : step_state->step.end;
    request.end = back ? step_state->step.first : run->trace->turns.size();
    request.back = back;
    search = std::make_unique<BreakSearch>(run->trace, std::move(request));
    if (!run->counted && !jobs.busy(count_tag)) start_counting();  // the search follows it
    advance_search(at_once);
}

void Session::State::stop_search() {
    search.reset();
    search_note.clear();
}

bool Session::State::advance_search(std::chrono::microseconds budget) {
    if (!search) return false;
    switch (search->run(budget)) {
        case BreakSearch::Progress::going_on:
            return true;
        case BreakSearch::Progress::found:
            if (!replay->is_near(search->found_turn(), search->found_turn() + 1)) return true;
            show_hit();
            break;
        case BreakSearch::Progress::nothing:
            search.reset();
            search_note = searched_line != 0 ? "line " + std::to_string(searched_line) + " does not run"
                                             : std::string("no breakpoint is met");
            search_note += searching_back ? " before this step" : " after this step";
            break;
    }
    return true;
}

void Session::State::show_hit() {
    const std::unique_ptr<BreakSearch> found = std::move(search);
    const std::uint64_t turn = found->found_turn();
    // Steps that hold more than one line would hide where it stopped.
    if (granularity > trace::Granularity::line) set_granularity(trace::Granularity::line);
    const trace::Turn& there = run->trace->turns[turn];
    const std::uint32_t launch = run->trace->launch_of(turn);
    const auto shows_turn = [&] {
        const trace::Step& at = steps[trace::step_at(steps, turn)];
        return at.launch == launch && at.block == there.block && at.first <= turn && turn < at.end;
    };
    if (!shows_turn()) focus_block(there.block);
    seek(trace::step_at(steps, turn));
    const bool arrived = step_state && step_state->step.first <= turn && turn < step_state->step.end;
    if (arrived && shows_turn()) hit = std::make_unique<BreakHit>(found->hit(step_state->step));
}

// --- Single instructions -----------------------------------------------------------------------------------

void Session::State::set_instruction_steps(bool on) {
    if (on) set_granularity(trace::Granularity::turn);
    if (by_instruction == on) return;
    by_instruction = on;
    if (step_state) seek(step);
}

void Session::State::show_instruction(bool last) {
    StepState& shown = *step_state;
    if (shown.details.empty()) return;
    trace::TurnDetail& detail = shown.details.front();
    shown.pcs = analysis::executed_pcs(run->trace->turns[detail.turn], detail);
    const std::size_t count = std::max<std::size_t>(shown.pcs.size(), 1);
    instruction = last ? count - 1 : std::min(instruction, count - 1);
    shown.instruction = instruction;
    keep_only(detail.accesses, instruction);
    keep_only(detail.branches, instruction);
    keep_only(detail.exchanges, instruction);
    keep_only(detail.syncs, instruction);
    shown.metrics = analysis::measure_turns(shown.details, *run->trace);
}

void Session::State::step_instructions(int count) {
    for (; count != 0; count -= count > 0 ? 1 : -1) {
        const bool forwards = count > 0;
        if (!step_state) return;
        if (forwards ? instruction + 1 < step_state->pcs.size() : instruction > 0) {
            instruction += forwards ? 1 : std::size_t(-1);
            hit.reset();
            search_note.clear();
            read_details();  // those of the other instructions of the turn
            show_instruction(false);
        } else if (forwards) {
            if (step + 1 >= steps.size()) return;
            seek(step + 1);
        } else {
            if (step == 0) return;
            seek(step - 1);
            if (!step_state || step_state->pcs.size() < 2) continue;
            read_details();
            show_instruction(true);
        }
    }
}

// --- The public face ---------------------------------------------------------------------------------------

const std::vector<Breakpoint>& Session::breakpoints() const {
    return state_->marks_here().breakpoints;
}
const std::vector<std::string>& Session::watches() const {
    return state_->marks_here().watches;
}
bool Session::by_instruction() const {
    return state_->by_instruction;
}
bool Session::searching() const {
    return state_->search != nullptr;
}
float Session::search_progress() const {
    return state_->search ? state_->search->share() : 1.0f;
}
const BreakHit* Session::hit() const {
    return state_->hit.get();
}
const std::string& Session::search_note() const {
    return state_->search_note;
}
std::uint32_t Session::line_with_code(std::uint32_t line) const {
    return state_->line_with_code(line);
}
const MarksByFile& Session::marks() const {
    return state_->marks;
}
void Session::set_marks(MarksByFile marks) {
    state_->marks = std::move(marks);
}

Diagnostics Session::expression_problems(const std::string& expression) const {
    const Result<LaneExpression>& parsed = state_->expression(expression);
    if (!parsed) return parsed.diagnostics();
    if (!trace()) return {};
    const Result<void> known = parsed->check_names(*trace());
    return known ? Diagnostics{} : known.diagnostics();
}

}  // namespace lanescope::session
