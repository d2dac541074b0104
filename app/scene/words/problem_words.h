// Problems in words: what they are, where they are, how bad they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "execution/run/run.h"

namespace lanescope::scene {

// What a mark or a word about a run means; the theme has a colour for each.
enum class Meaning : std::uint8_t {
    good,
    note,   // worth knowing, but not a mistake
    race,   // the result depends on the order of threads
    fault,  // anything else that is wrong
};
Meaning meaning_of(const trace::Problem& problem);

struct LineProblem {
    const trace::Problem* problem = nullptr;
    const trace::ProblemSite* site = nullptr;  // the one that is on the line
};
// Returns the problems of which a side is on the line, with notes last.
std::vector<LineProblem> problems_on_line(const execution::RunResult& run, std::uint32_t line);
std::string words_of(const std::vector<LineProblem>& problems);  // one message per line

bool was_recorded(const trace::ProblemSite& site);
// Whether the problem occurs only after the first `turns` turns; false in a block that is not recorded.
bool comes_later(const trace::Problem& problem, std::uint64_t turns);
// "line 10, t4 of block 0"
std::string site_words(const trace::ProblemSite& site);
// "race · 12 times"
std::string title_words(const trace::Problem& problem);

}  // namespace lanescope::scene
