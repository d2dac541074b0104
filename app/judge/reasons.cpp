#include "judge/reasons.h"

#include <algorithm>

#include "session/run/step_numbers.h"

namespace lanescope::judge {

namespace {

// The write that gave an element its last value.
std::optional<analysis::FlowWrite> last_write(const session::RunResult& run, const std::string& buffer,
                                              std::uint64_t element) {
    if (!run.trace || !run.flow) return {};
    const auto flow = run.flow->get();
    const std::vector<trace::Symbol>& symbols = run.trace->symbols;
    for (std::size_t i = 0; i < symbols.size() && i < flow->at_end.size(); ++i) {
        if (symbols[i].name != buffer || element >= flow->at_end[i].size()) continue;
        const analysis::ValueId value = flow->at_end[i][element];
        if (flow->graph.is_node(value) && analysis::is_copy(flow->graph.op(value)))
            return flow->graph.write_of(value);
    }
    return {};
}

bool is_unset(const session::RunResult& run, const lesson::ExpectOutcome& outcome) {
    for (const session::BufferView& buffer : run.buffers) {
        if (buffer.name != outcome.buffer || buffer.count == 0) continue;
        const std::size_t bytes = buffer.contents.size() / buffer.count, first = *outcome.element * bytes;
        return first < buffer.set.size() && !buffer.set[first];
    }
    return false;
}

// "line 9 wrote it last, at step 12 of block 0"; empty if that is not known.
std::string who_wrote(const session::RunResult& run, const lesson::ExpectOutcome& outcome, bool hidden) {
    if (!outcome.element) return {};
    if (is_unset(run, outcome)) return hidden ? "its first wrong element was never written" : "";
    const auto write = last_write(run, outcome.buffer, *outcome.element);
    if (!write || write->turn >= run.trace->turns.size()) return {};
    const std::string line = "line " + std::to_string(run.trace->turns[write->turn].line) + " wrote ";
    if (hidden) return line + "its first wrong element last";
    trace::ProblemSite site;
    site.turn = write->turn;
    site.block = write->block;
    session::StepNumbers steps(run);
    const auto step = steps.of(site);
    return line + "it last" +
           (step ? ", at step " + std::to_string(*step) + " of block " + std::to_string(write->block) : "");
}

const trace::Problem* first_error(const session::RunResult& run) {
    const auto found = std::find_if(run.problems.begin(), run.problems.end(),
                                    [](const trace::Problem& problem) { return !problem.note; });
    return found == run.problems.end() ? nullptr : &*found;
}

std::string kind_words(trace::ProblemKind kind) {
    std::string text = trace::to_text(kind);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string lines_of(const trace::Problem& problem) {
    std::string words;
    if (problem.first.line != 0) words = "line " + std::to_string(problem.first.line);
    if (problem.second.line != 0 && problem.second.line != problem.first.line)
        words += (words.empty() ? "line " : " and line ") + std::to_string(problem.second.line);
    return words;
}

std::string problem_words(const trace::Problem& problem, const session::RunResult& run, bool hidden) {
    if (hidden) {
        const std::string lines = lines_of(problem);
        return kind_words(problem.kind) + (lines.empty() ? "" : " in " + lines);
    }
    session::StepNumbers steps(run);
    const auto step = steps.of(problem.second.line != 0 ? problem.second : problem.first);
    return problem.message + (step ? " (step " + std::to_string(*step) + ")" : "");
}

}  // namespace

std::string words_of(const RunPlace& place) {
    std::string words = place.hidden ? " for a hidden input" : "";
    if (!place.schedule.empty() && place.schedule != "rr") words += " under the schedule " + place.schedule;
    return words;
}

std::string why_wrong(const session::RunResult& run, const RunPlace& place) {
    if (run.outcome.ending != simt::Ending::finished) {
        const trace::Problem* problem = first_error(run);
        return "the run does not end normally" + words_of(place) +
               (problem == nullptr ? "" : ": " + problem_words(*problem, run, place.hidden));
    }
    for (const lesson::ExpectOutcome& outcome : run.expectations) {
        if (outcome.ok) continue;
        const std::string written = who_wrote(run, outcome, place.hidden);
        return (place.hidden ? outcome.buffer + " is wrong" : outcome.mismatch) + words_of(place) +
               (written.empty() ? "" : "; " + written);
    }
    return {};
}

std::string words_of(const trace::Problem& problem, const session::RunResult& run, const RunPlace& place) {
    return problem_words(problem, run, place.hidden) + words_of(place);
}

}  // namespace lanescope::judge
