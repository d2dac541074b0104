// The part of a source line that a step evaluates.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "session/playhead/playhead.h"

namespace lanescope::scene {

struct LinePart {
    std::size_t begin = 0, end = 0;  // bytes of the line
    bool operator==(const LinePart&) const = default;
};

// The head of a for loop that stands on one line.
struct LoopHead {
    LinePart start;  // "int i = 0; i < n;": first statement and condition
    LinePart next;   // "i < n; ++i": condition and increment
};
std::optional<LoopHead> loop_head(std::string_view line);

// Returns the half of a loop's head that the step evaluates: it starts the loop, or goes on to the next
// round. Empty for other lines, because the compiler gives one column to all that stands on them, and where
// the warps of the step do not agree.
std::optional<LinePart> evaluated_part(const trace::Trace& trace, const session::StepState& step,
                                       std::string_view line);

}  // namespace lanescope::scene
