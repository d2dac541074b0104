#include "judge/tally.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "judge/measure.h"
#include "judge/sharing.h"
#include "lesson/expression.h"

namespace lanescope::judge {

namespace {

using lesson::Goal;
using lesson::GoalForm;
using lesson::GoalKind;

std::string number_text(double value) {
    char text[64];
    if (value == std::floor(value) && std::abs(value) < 1e15)
        std::snprintf(text, sizeof text, "%.0f", value);
    else
        std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

// "1 barrier phase", "8 barrier phases"
std::string counted(const GoalForm& form, double value) {
    return number_text(value) + " " + (value == 1 ? form.one : form.unit);
}

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos;
}

// Lanes without synchronisation are a race between lanes.
bool is_of_kinds(const trace::Problem& problem, const std::vector<std::string>& kinds) {
    if (kinds.empty()) return true;
    const auto named = [&](const char* kind) {
        return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    };
    return named(trace::to_text(problem.kind)) ||
           (problem.kind == trace::ProblemKind::unsynced_lanes && named("race"));
}

}  // namespace

bool Tally::counts(const RunPlace& place) const {
    if (goal_.cases == Goal::Cases::given) return !place.hidden;
    if (goal_.cases == Goal::Cases::hidden) return place.hidden;
    // A hidden input may be so small that a part of the kernel has nothing to do.
    return goal_.kind != GoalKind::uses || !place.hidden;
}

Result<void> Tally::add(const execution::RunResult& run, const RunPlace& place, const std::string& file) {
    if (!counts(place)) return {};
    // Counts of a run that was stopped say nothing about the algorithm.
    const bool of_whole_run = goal_.kind != GoalKind::result && goal_.kind != GoalKind::no_problem;
    if (of_whole_run && run.outcome.ending != simt::Ending::finished) return {};
    ++runs_;
    switch (goal_.kind) {
        case GoalKind::result:
            add_result(run, place);
            return {};
        case GoalKind::no_problem:
            add_problems(run, place);
            return {};
        case GoalKind::uses:
        case GoalKind::avoids:
            add_feature(run, place);
            return {};
        default:
            return add_count(run, place, file);
    }
}

void Tally::add_result(const execution::RunResult& run, const RunPlace& place) {
    if (!why_.empty()) return;
    const Reason reason = why_wrong(run, place);
    why_ = reason.words;
    place_ = reason.place;
    got_ = why_.empty() ? "right" : "wrong";
    // A hidden input may be so small that there is nothing to share.
    if (!why_.empty() || place.hidden || !run.trace || goal_.parallel <= 0) return;
    const std::optional<Sharing> sharing = sharing_of(run);
    if (!sharing || sharing->share >= goal_.parallel) return;
    got_ = "not shared";
    why_ = "the result is right, but the threads do not share the work: " + words_of(*sharing);
}

void Tally::add_problems(const execution::RunResult& run, const RunPlace& place) {
    for (const trace::Problem& problem : run.problems) {
        // A barrier that threads left before works on present GPUs only.
        const bool told = !problem.note || problem.kind == trace::ProblemKind::barrier_divergence;
        if (!told || !is_of_kinds(problem, goal_.problems)) continue;
        if (why_.empty()) {
            const Reason reason = reason_of(problem, run, place);
            why_ = reason.words;
            place_ = reason.place;
            got_ = trace::to_text(problem.kind);
        }
        return;
    }
}

void Tally::add_feature(const execution::RunResult& run, const RunPlace& place) {
    const bool wanted = goal_.kind == GoalKind::uses, of_buffer = !goal_.buffer.empty();
    const bool used = of_buffer || measured(goal_, run) > 0;
    const bool beside = used && wanted && !passes_through(goal_, run).value_or(true);
    if ((used == wanted && !beside) || !why_.empty()) return;
    const std::uint32_t line = place.hidden || of_buffer || !used ? 0 : line_of(goal_, run);
    const std::string words = of_buffer ? "'" + goal_.buffer + "'" : lesson::words_for(goal_.feature);
    const std::string where = line == 0 ? "the kernel" : "line " + std::to_string(line);
    got_ = beside ? "not for the result" : used ? "used" : "not used";
    place_.line = line;
    if (beside && !of_buffer)
        why_ = where + " uses " + words + ", but the result does not pass through " +
               (words.back() == 's' ? "them" : "it");
    else if (beside)
        why_ = "the result does not pass through " + words;
    else
        why_ = used ? where + " uses " + words + words_of(place) : "the kernel does not use " + words;
}

Result<void> Tally::add_count(const execution::RunResult& run, const RunPlace& place,
                              const std::string& file) {
    const GoalForm& form = lesson::form_of(goal_.kind);
    const Result<double> bound = lesson::bound_of(goal_, run.instance, file);
    if (!bound) return bound.diagnostics();
    const bool least = form.bound == GoalForm::Bound::at_least;
    const double value = measured(goal_, run);
    const bool told = !place.hidden || !form.of_size;
    if (told && (!worst_ || (least ? value < *worst_ : value > *worst_))) {
        worst_ = value;
        line_ = line_of(goal_, run);
    }
    if (!place.hidden) bound_ = *bound;
    constexpr double rounding = 1e-9;
    const bool fine = least ? value >= *bound - rounding : value <= *bound + rounding;
    if (fine || !why_.empty()) return {};
    if (told)
        why_ = counted(form, value) + words_of(place) +
               (least ? ", but at least " + number_text(*bound) + " is wanted"
                      : ", but the limit is " + number_text(*bound));
    else
        why_ = std::string("more ") + form.unit + " than allowed" + words_of(place);
    why_ += find_worst_line(run, place);
    return {};
}

// Sets the place, and says in which lines the count comes about.
std::string Tally::find_worst_line(const execution::RunResult& run, const RunPlace& place) {
    place_ = {};
    if (place.hidden) return "";
    place_.line = line_of(goal_, run);
    if (place_.line == 0) return "";
    if (const auto turn = turn_of(goal_, run, place_.line)) place_ = place_of_turn(run, *turn, place);
    const std::string line = std::to_string(place_.line);
    if (goal_.kind == GoalKind::phases) {
        const std::vector<std::uint32_t> lines = barrier_lines(run);
        std::string words;
        for (std::size_t i = 0; i < lines.size(); ++i)
            words += (i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ") + std::to_string(lines[i]);
        return (lines.size() == 1 ? "; the barrier is in line " : "; the barriers are in lines ") + words;
    }
    const bool sum = goal_.kind != GoalKind::conflicts && goal_.kind != GoalKind::wavefronts &&
                     goal_.kind != GoalKind::coalescing && goal_.kind != GoalKind::efficiency;
    return sum ? "; most of them are in line " + line : "; the worst line is " + line;
}

std::string Tally::wanted() const {
    const GoalForm& form = lesson::form_of(goal_.kind);
    if (goal_.kind == GoalKind::result) return "right";
    if (goal_.kind == GoalKind::uses) return "used";
    if (goal_.kind == GoalKind::avoids) return "not used";
    if (goal_.kind == GoalKind::no_problem) {
        std::string kinds;
        for (const std::string& kind : goal_.problems)
            kinds += (kinds.empty() ? "no " : ", no ") + kind;
        return kinds.empty() ? "no problem" : kinds;
    }
    std::string text = form.bound == GoalForm::Bound::at_least ? "at least " : "at most ";
    if (is_number(goal_.bound.text)) return text + goal_.bound.text;
    return text + goal_.bound.text + (bound_ ? " = " + number_text(*bound_) : "");
}

GoalVerdict Tally::verdict() const {
    GoalVerdict verdict;
    verdict.goal = lesson::name_of(goal_);
    verdict.max_points = goal_.points;
    verdict.ok = ok();
    verdict.points = verdict.ok ? goal_.points : 0;
    verdict.wanted = wanted();
    const GoalForm& form = lesson::form_of(goal_.kind);
    const bool untold = form.bound != GoalForm::Bound::none && !worst_;  // only hidden inputs count
    verdict.got = worst_         ? number_text(*worst_)
                  : untold       ? (why_.empty() ? "within" : "more")
                  : got_.empty() ? wanted()
                                 : got_;
    if (!why_.empty())
        verdict.reason = why_, verdict.place = place_;
    else if (runs_ == 0)
        verdict.reason = "no run got as far as this goal";
    else if (worst_)
        verdict.reason = counted(form, *worst_);
    else if (untold)
        verdict.reason = std::string(form.unit) + ": within the bound";
    else if (goal_.kind == GoalKind::result)
        verdict.reason = runs_ == 1 ? "right in one run" : "right in all " + std::to_string(runs_) + " runs";
    else if (goal_.kind == GoalKind::no_problem)
        verdict.reason = "nothing was found in " + std::to_string(runs_) + (runs_ == 1 ? " run" : " runs");
    else
        verdict.reason =
            (goal_.buffer.empty() ? lesson::words_for(goal_.feature) : goal_.buffer) + ": " + verdict.got;
    if (runs_ == 0) verdict.got = "";
    return verdict;
}

}  // namespace lanescope::judge
