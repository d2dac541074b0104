#include "scene/words/verdict.h"

#include <algorithm>
#include <map>

namespace lanescope::scene {

namespace {

// "race" → "1 race", "2 races"; the JSON's names in plain words.
std::string counted(trace::ProblemKind kind, std::size_t count) {
    const std::string name = kind_words(kind);
    const bool countable = kind == trace::ProblemKind::race || kind == trace::ProblemKind::trap ||
                           kind == trace::ProblemKind::deadlock;
    return std::to_string(count) + " " + name + (countable && count > 1 ? "s" : "");
}

std::string counted_problems(const execution::RunResult& run) {
    std::map<trace::ProblemKind, std::size_t> counts;
    for (const trace::Problem& problem : run.problems)
        if (!problem.note) ++counts[problem.kind];
    std::string words;
    for (const auto& [kind, count] : counts)
        words += (words.empty() ? "" : ", ") + counted(kind, count);
    return words;
}

}  // namespace

std::string provenance(const trace::Trace& trace) {
    return trace.program.engine == "cpu" ? "CPU SIMT machine · exact" : trace.program.engine + " · traced";
}

Verdict verdict(const execution::RunResult& run) {
    const auto all_are = [&](auto test) {
        return std::all_of(run.problems.begin(), run.problems.end(), test);
    };
    const bool only_races = all_are([](const trace::Problem& problem) {
        return problem.note || problem.kind == trace::ProblemKind::race ||
               problem.kind == trace::ProblemKind::unsynced_lanes;
    });
    if (!all_are([](const trace::Problem& problem) { return problem.note; })) {
        const std::string words = counted_problems(run);
        if (run.fine()) return {words + ", as expected", Meaning::good};
        return {words, only_races ? Meaning::race : Meaning::fault};
    }
    for (const lesson::ExpectOutcome& outcome : run.expectations)
        if (!outcome.ok) return {outcome.mismatch, Meaning::fault};
    if (!run.hollow.empty()) return {"the proposed launch changes nothing", Meaning::fault};
    if (!run.fine()) return {"the expected problem was not found", Meaning::fault};
    const std::string unseen = run.on_device() ? " · unset memory not checked" : "";
    return {(run.expectations.empty() ? "no problem found" : "result as expected") + unseen, Meaning::good};
}

}  // namespace lanescope::scene
