// Problems as marks: their colour, where they are on a line, how a click goes there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

ImU32 problem_colour(const trace::Problem& problem);

struct LineProblem {
    const trace::Problem* problem = nullptr;
    const trace::ProblemSite* site = nullptr;  // the one that is on the line
};
// Both sides of a problem count; those that are notes come last.
std::vector<LineProblem> problems_on_line(const session::RunResult& run, std::uint32_t line);
std::string words_of(const std::vector<LineProblem>& problems);  // one message a line

bool was_recorded(const trace::ProblemSite& site);
// Goes to the step of the site and pins its lane; nothing when it was not recorded.
void jump_to(const trace::ProblemSite& site, Requests& requests);

}  // namespace lanescope::ui
