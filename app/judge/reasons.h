// Why a result is wrong, in words that tell no hidden input.
#pragma once

#include <string>

#include "execution/run/run.h"
#include "judge/verdict.h"

namespace lanescope::judge {

// Which run the words are about.
struct RunPlace {
    bool hidden = false;
    std::string schedule;    // as --schedule names it; empty: every schedule behaves alike
    std::string about = {};  // what may be told of a hidden input; empty: nothing
};
// " for a hidden input (one element) under the schedule warp"
std::string words_of(const RunPlace& place);

struct Reason {
    std::string words;
    GoalPlace place = {};
};

// Why the run's result is not right: the first wrong element and the line that wrote it last, or why the run
// did not end. Without words if the result is right.
Reason why_wrong(const execution::RunResult& run, const RunPlace& place);

// The place of a turn, with its step unless the input is hidden.
GoalPlace place_of_turn(const execution::RunResult& run, std::uint64_t turn, const RunPlace& place);

// The problem with its lines and, of the given input, its step.
Reason reason_of(const trace::Problem& problem, const execution::RunResult& run, const RunPlace& place);

}  // namespace lanescope::judge
