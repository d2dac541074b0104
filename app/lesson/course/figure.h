// The target of a figure in a lesson's text: "flow", "stage?code=s[t] +=&visit=2&array=s,in".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/course/questions.h"

namespace lanescope::lesson {

struct Figure {
    enum class Kind : std::uint8_t {
        flow,  // what each value of the run was computed from
        stage  // the arrays after a step
    };
    Kind kind{};
    std::optional<StepPlace> at;      // none: where the lesson says to look
    std::vector<std::string> arrays;  // only these; empty: all of the stage, the flow of the best one
    bool banks = false;  // of a stage: columns of shared arrays are banks, even where values do not fit
};

// Errors: another word than "flow" and "stage"; an option that is unknown or whose value is wrong.
Result<Figure> parse_figure(std::string_view target);

}  // namespace lanescope::lesson
