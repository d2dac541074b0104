#include "dap/stops.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "execution/run/source_lines.h"
#include "scene/words/problem_words.h"
#include "session/playhead/named_cell.h"

namespace lanescope::dap {

namespace {

constexpr std::uint64_t no_turn = ~0ull;

// "5", ">= 5", "% 3": whether hit number `count` stops. Nothing: the text is none of these.
std::optional<bool> stops_at(std::string_view text, std::uint64_t count) {
    text = trimmed(text);
    std::string_view operation = "==";
    for (const std::string_view each : {">=", "<=", "==", ">", "<", "%"})
        if (text.starts_with(each)) {
            operation = each;
            text = trimmed(text.substr(each.size()));
            break;
        }
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    if (operation == "%") return number != 0 ? std::optional(count % number == 0) : std::nullopt;
    if (operation == ">=") return count >= number;
    if (operation == "<=") return count <= number;
    if (operation == ">") return count > number;
    if (operation == "<") return count < number;
    return count == number;
}

void fit_cell(const trace::Trace& trace, AskedStop& stop) {
    if (!stop.condition.empty()) {
        stop.refused = "a breakpoint on a cell takes no condition; use a hit count";
        return;
    }
    if (const Result<session::NamedCell> found = session::cell_named(trace, stop.cell); !found)
        stop.refused = found.diagnostics().front().message;
    else
        stop.made.cell = stop.cell;
}

void fit_function(const trace::Trace& trace, AskedStop& stop) {
    for (const trace::Function& each : trace.program.functions)
        if (each.user_code && each.line > 0 &&
            (each.name == stop.function || each.name.starts_with(stop.function + "<")))
            stop.line = static_cast<std::uint32_t>(each.line);
    if (stop.line == 0) stop.refused = "no kernel and no device function has the name " + stop.function;
}

void fit_line(const session::Session& session, AskedStop& stop) {
    const std::uint32_t line = session::line_with_code(*session.trace(), stop.line);
    if (line == 0) {
        stop.refused = "no code of this run is on line " + std::to_string(stop.line) + " or after it";
        return;
    }
    if (!stop.condition.empty())
        if (const Diagnostics wrong = session.values().problems(stop.condition); !wrong.empty()) {
            stop.refused = wrong.front().message + " (column " + std::to_string(wrong.front().column) + ")";
            return;
        }
    stop.made.line = line;
    stop.made.condition = stop.condition;
}

bool same_place(const session::Breakpoint& made, const session::BreakHit& hit) {
    return hit.cell.empty() ? made.cell.empty() && made.line == hit.line : made.cell == hit.cell;
}

}  // namespace

std::vector<trace::ProblemKind> stopping_kinds() {
    using enum trace::ProblemKind;
    return {race,     unsynced_lanes, out_of_bounds, misaligned, uninitialised, barrier_divergence,
            deadlock, step_limit,     timeout,       trap,       addition_order};
}

bool stops_by_default(trace::ProblemKind kind) {
    return kind != trace::ProblemKind::addition_order;
}

std::optional<std::uint64_t> turn_of(const trace::Problem& problem) {
    if (scene::was_recorded(problem.second) && scene::was_recorded(problem.first))
        return std::max(problem.first.turn, problem.second.turn);
    if (scene::was_recorded(problem.first)) return problem.first.turn;
    return std::nullopt;
}

void Stops::ask(Kind kind, std::vector<AskedStop> wanted) {
    asked_[static_cast<std::size_t>(kind)] = std::move(wanted);
}

void Stops::fit(session::Session& session) {
    counted_.clear();
    session.apply(session::ClearBreakpoints{});
    for (std::vector<AskedStop>& list : asked_)
        for (AskedStop& stop : list) {
            stop.made = {};
            stop.refused = session.trace() ? "" : "the run has not ended yet";
            if (!stop.refused.empty()) continue;
            if (!stop.count_text.empty() && !stops_at(stop.count_text, 1)) {
                stop.refused = "a hit count must be a number, '>= 5' or '% 3', not '" + stop.count_text + "'";
                continue;
            }
            if (!stop.cell.empty()) {
                fit_cell(*session.trace(), stop);
            } else {
                if (!stop.function.empty()) fit_function(*session.trace(), stop);
                if (stop.refused.empty()) fit_line(session, stop);
            }
            if (!stop.verified()) continue;
            // One breakpoint of the session stands for all on its line; they are told apart at a hit.
            session::Breakpoint made = stop.made;
            for (const session::Breakpoint& there : session.marks().breakpoints())
                if (there.line == made.line && there.cell == made.cell && there.condition != made.condition)
                    made.condition.clear();
            session.apply(session::SetBreakpoint{made});
        }
}

const trace::Problem* Stops::problem_between(const execution::RunResult& run, std::uint64_t first,
                                             std::uint64_t end, bool back) const {
    const trace::Problem* best = nullptr;
    for (const trace::Problem& each : run.problems) {
        const std::optional<std::uint64_t> turn = turn_of(each);
        if (!turn || *turn < first || *turn >= end || !kinds_.contains(trace::to_text(each.kind))) continue;
        if (!best || (back ? *turn > *turn_of(*best) : *turn < *turn_of(*best))) best = &each;
    }
    return best;
}

// How often the breakpoint was met up to this turn, at most once in a step of the focus block.
std::uint64_t Stops::count_until(const session::Session& session, const AskedStop& stop, std::uint64_t turn) {
    Counted& known = counted_[stop.id];
    const session::Playhead& playhead = session.playhead();
    while (known.searched <= turn) {
        session::BreakpointScan scan(playhead.run()->trace, {.breakpoints = {stop.made},
                                                             .focus_block = playhead.block(),
                                                             .first = known.searched,
                                                             .end = turn + 1,
                                                             .before = playhead.shows_before()});
        auto progress = session::BreakpointScan::Progress::going_on;
        while (progress == session::BreakpointScan::Progress::going_on)
            progress = scan.run(std::chrono::seconds(1));
        if (progress == session::BreakpointScan::Progress::nothing) {
            known.searched = turn + 1;
            break;
        }
        const trace::Step& step = playhead.steps()[trace::step_at(playhead.steps(), scan.found_turn())];
        known.ends.push_back(scan.found_turn());
        known.searched = std::max(step.end, scan.found_turn() + 1);
    }
    return static_cast<std::uint64_t>(std::upper_bound(known.ends.begin(), known.ends.end(), turn) -
                                      known.ends.begin());
}

Stops::Hit Stops::judge(const session::Session& session, const session::BreakHit& hit) {
    Hit judged;
    const session::Playhead& playhead = session.playhead();
    for (std::size_t kind = 0; kind < std::size(asked_); ++kind)
        for (const AskedStop& stop : asked_[kind]) {
            if (!stop.verified() || !same_place(stop.made, hit)) continue;
            session::BreakpointScan own(playhead.run()->trace, {.breakpoints = {stop.made},
                                                                .focus_block = playhead.block(),
                                                                .first = hit.turn,
                                                                .end = playhead.step_state()->step.end,
                                                                .before = playhead.shows_before()});
            if (own.run(std::chrono::seconds(1)) != session::BreakpointScan::Progress::found) continue;
            if (!stop.count_text.empty() &&
                !stops_at(stop.count_text, count_until(session, stop, own.found_turn())).value_or(false))
                continue;
            if (!stop.message.empty()) {
                judged.messages.push_back(stop.message);
                continue;
            }
            judged.stops = true;
            judged.ids.push_back(stop.id);
            judged.function |= kind == static_cast<std::size_t>(Kind::function);
            judged.data |= kind == static_cast<std::size_t>(Kind::cell);
        }
    return judged;
}

}  // namespace lanescope::dap
