#include "ui/source/problem_marks.h"

#include <algorithm>
#include <limits>

#include "ui/kit/theme.h"

namespace lanescope::ui {

ImU32 problem_colour(const trace::Problem& problem) {
    if (problem.note) return theme().text_quiet;
    const bool race =
        problem.kind == trace::ProblemKind::race || problem.kind == trace::ProblemKind::unsynced_lanes;
    return race ? theme().race : theme().conflict;
}

std::vector<LineProblem> problems_on_line(const session::RunResult& run, std::uint32_t line) {
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

void jump_to(const trace::ProblemSite& site, Requests& requests) {
    if (!was_recorded(site)) return;
    requests.commands.push_back(session::SeekTurn{site.turn});
    if (site.thread != trace::none)
        requests.commands.push_back(
            session::PinLane{site.thread / trace::warp_size, site.thread % trace::warp_size});
}

}  // namespace lanescope::ui
