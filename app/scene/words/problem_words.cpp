#include "scene/words/problem_words.h"

#include <algorithm>
#include <limits>

#include "base/number_text.h"

namespace lanescope::scene {

Meaning meaning_of(const trace::Problem& problem) {
    if (problem.note) return Meaning::note;
    const bool race =
        problem.kind == trace::ProblemKind::race || problem.kind == trace::ProblemKind::unsynced_lanes;
    return race ? Meaning::race : Meaning::fault;
}

std::vector<LineProblem> problems_on_line(const execution::RunResult& run, std::uint32_t line) {
    std::vector<LineProblem> found;
    if (line == 0) return found;
    for (const trace::Problem& problem : run.problems) {
        if (problem.first.line == line)
            found.push_back({&problem, &problem.first});
        else if (problem.second.line == line)
            found.push_back({&problem, &problem.second});
    }
    std::stable_partition(found.begin(), found.end(),
                          [](const LineProblem& at) { return !at.problem->note; });
    return found;
}

std::string words_of(const std::vector<LineProblem>& problems) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(problems.size(), most); ++i)
        text += (i == 0 ? "" : "\n") + problems[i].problem->message;
    if (problems.size() > most) text += "\nand " + std::to_string(problems.size() - most) + " more";
    return text;
}

bool was_recorded(const trace::ProblemSite& site) {
    return site.turn != std::numeric_limits<std::uint64_t>::max();
}

bool comes_later(const trace::Problem& problem, std::uint64_t turns) {
    const auto later = [&](const trace::ProblemSite& site) {
        return was_recorded(site) && site.turn >= turns;
    };
    return later(problem.first) || (problem.second.line != 0 && later(problem.second));
}

std::string site_words(const trace::ProblemSite& site) {
    std::string text = site.line ? "line " + std::to_string(site.line) : "unknown line";
    if (site.thread != trace::none) text += ", t" + std::to_string(site.thread);
    if (site.block != trace::none) text += " of block " + std::to_string(site.block);
    return text;
}

std::string title_words(const trace::Problem& problem) {
    std::string title = (problem.note ? "note: " : "") + kind_words(problem.kind);
    if (problem.occurrences > 1) title += " · " + grouped(problem.occurrences) + " times";
    return title;
}

}  // namespace lanescope::scene
