// Steps that a lesson names by the code that runs there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lesson/course/registry.h"
#include "trace/steps.h"

namespace lanescope::execution {

// Returns the step, from 0, of a place among the steps of its block, counted in lines. Errors: the source has
// no such line; the block does not visit it so often.
Result<std::size_t> step_of_place(const lesson::StepPlace& place, const std::vector<trace::Step>& by_line,
                                  std::string_view source);

struct PlacedStep {
    std::uint32_t block = 0;
    std::size_t step = 0;  // from 0
};
Result<PlacedStep> find_place(const lesson::StepPlace& place, const trace::Trace& trace,
                              std::string_view source);

// The step that a lesson says to look at; nothing when it names none, or the run has none there.
std::optional<PlacedStep> place_to_look(const lesson::LessonEntry& entry, const trace::Trace& trace,
                                        std::string_view source);

// A line, and the name of the barrier phases in which it runs.
struct PhaseLine {
    std::uint32_t line = 0;
    std::string name;
};
// Lines that the source does not have are left out. `entry` may be null.
std::vector<PhaseLine> phase_lines(const lesson::LessonEntry* entry, std::string_view source);

}  // namespace lanescope::execution
