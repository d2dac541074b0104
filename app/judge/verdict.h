// What the judge found out about one submission, and its JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/course/exercise.h"

namespace lanescope::judge {

// Where a goal is missed. A verdict about hidden input has only the line.
struct GoalPlace {
    std::uint32_t line = 0;  // 0: not known
    std::size_t step = 0;    // of the given input, from 1, in lines of the block; 0: not known
    std::uint32_t block = 0;
    std::string schedule;  // of that run, as --schedule names it
};

struct GoalVerdict {
    std::string goal;  // "conflicts"
    bool ok = false;
    int points = 0, max_points = 0;
    std::string got, wanted;  // "2", "at most 1"
    std::string reason;       // a sentence; never tells a hidden input
    GoalPlace place = {};     // of a goal that is missed
};

struct Verdict {
    std::string file, exercise;
    int points = 0, max_points = 0;
    std::vector<GoalVerdict> goals;
    std::string error;  // why nothing was judged, such as the compiler's message; empty: it was

    bool full() const { return error.empty() && points == max_points; }
};

// The verdict on a submission that could not be run: no goal is reached.
Verdict refused(const lesson::Exercise& exercise, const std::string& file, const std::string& why);

nlohmann::ordered_json json_of(const Verdict& verdict);
// Error: the JSON is not that of a verdict.
Result<Verdict> verdict_of(const nlohmann::ordered_json& json);

}  // namespace lanescope::judge
