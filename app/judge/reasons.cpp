#include "judge/reasons.h"

#include <algorithm>

#include "analysis/flow/provenance.h"
#include "execution/run/step_numbers.h"

namespace lanescope::judge {

namespace {

struct LastWrite {
    analysis::FlowWrite write;
    std::string made_of;  // "; it is in[0] + … + in[63]"; empty: not known
};

std::string made_of(const execution::RunResult& run, const analysis::Flow& flow, analysis::ValueId value) {
    analysis::Provenance provenance(*run.trace, flow);
    const analysis::Origin origin = provenance.origin(value);
    if (origin.inputs.empty() || origin.cut || origin.outside) return "";
    return (origin.text.starts_with("from ") ? "; it was made " : "; it is ") + origin.text;
}

// The write that gave an element its last value.
std::optional<LastWrite> last_write(const execution::RunResult& run, const std::string& buffer,
                                    std::uint64_t element) {
    if (!run.trace || !run.flow) return {};
    const auto flow = run.flow->get();
    const std::vector<trace::Symbol>& symbols = run.trace->symbols;
    for (std::size_t i = 0; i < symbols.size() && i < flow->at_end.size(); ++i) {
        if (symbols[i].name != buffer || element >= flow->at_end[i].size()) continue;
        const analysis::ValueId value = flow->at_end[i][element];
        if (flow->graph.is_node(value) && analysis::is_copy(flow->graph.op(value)))
            return LastWrite{flow->graph.write_of(value), made_of(run, *flow, value)};
    }
    return {};
}

bool is_unset(const execution::RunResult& run, const lesson::ExpectOutcome& outcome) {
    for (const execution::BufferView& buffer : run.buffers) {
        if (buffer.name != outcome.buffer || buffer.count == 0) continue;
        const std::size_t bytes = buffer.contents.size() / buffer.count, first = *outcome.element * bytes;
        return first < buffer.set.size() && !buffer.set[first];
    }
    return false;
}

GoalPlace place_of(const execution::RunResult& run, const trace::ProblemSite& site, const RunPlace& place) {
    GoalPlace found;
    found.line = site.line;
    execution::StepNumbers steps(run);
    found.step = steps.of(site).value_or(0);
    found.block = site.block;
    found.schedule = place.schedule;
    return found;
}

// "line 9 wrote it last, at step 12 of block 0"; empty if that is not known.
Reason who_wrote(const execution::RunResult& run, const lesson::ExpectOutcome& outcome,
                 const RunPlace& place) {
    if (!outcome.element) return {};
    if (is_unset(run, outcome)) return {place.hidden ? "its first wrong element was never written" : ""};
    if (place.hidden) return {};
    const auto last = last_write(run, outcome.buffer, *outcome.element);
    if (!last || last->write.turn >= run.trace->turns.size()) return {};
    const GoalPlace at = place_of_turn(run, last->write.turn, place);
    const std::string line = "line " + std::to_string(at.line) + " wrote ";
    const std::string step =
        at.step == 0 ? "" : ", at step " + std::to_string(at.step) + " of block " + std::to_string(at.block);
    return {line + "it last" + step + last->made_of, at};
}

const trace::Problem* first_error(const execution::RunResult& run) {
    const auto found = std::find_if(run.problems.begin(), run.problems.end(),
                                    [](const trace::Problem& problem) { return !problem.note; });
    return found == run.problems.end() ? nullptr : &*found;
}

Reason problem_words(const trace::Problem& problem, const execution::RunResult& run, const RunPlace& place) {
    // Threads that wait in vain are shown where they wait, not where the other threads went.
    const GoalPlace at = place_of(run, problem.second.has_access ? problem.second : problem.first, place);
    // A line would tell the hidden input, if the code has a line for each.
    if (place.hidden) return {trace::kind_words(problem.kind), {}};
    return {problem.message + (at.step == 0 ? "" : " (step " + std::to_string(at.step) + ")"), at};
}

}  // namespace

std::string words_of(const RunPlace& place) {
    std::string words = place.hidden ? " for a hidden input" : "";
    if (place.hidden && !place.about.empty()) words += " (" + place.about + ")";
    if (!place.schedule.empty() && place.schedule != "rr") words += " under the schedule " + place.schedule;
    return words;
}

Reason why_wrong(const execution::RunResult& run, const RunPlace& place) {
    if (run.outcome.ending != simt::Ending::finished) {
        const std::string words = "the run does not end normally" + words_of(place);
        const trace::Problem* problem = first_error(run);
        if (problem == nullptr) return {words};
        Reason why = problem_words(*problem, run, place);
        return {words + ": " + why.words, why.place};
    }
    for (const lesson::ExpectOutcome& outcome : run.expectations) {
        if (outcome.ok) continue;
        const Reason written = who_wrote(run, outcome, place);
        return {(place.hidden ? outcome.buffer + " is wrong" : outcome.mismatch) + words_of(place) +
                    (written.words.empty() ? "" : "; " + written.words),
                written.place};
    }
    return {};
}

GoalPlace place_of_turn(const execution::RunResult& run, std::uint64_t turn, const RunPlace& place) {
    trace::ProblemSite site;
    site.turn = turn;
    site.block = run.trace->turns[turn].block;
    site.line = run.trace->turns[turn].line;
    return place_of(run, site, place);
}

Reason reason_of(const trace::Problem& problem, const execution::RunResult& run, const RunPlace& place) {
    Reason why = problem_words(problem, run, place);
    return {why.words + words_of(place), why.place};
}

}  // namespace lanescope::judge
