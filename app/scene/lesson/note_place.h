// The place of a note in a run, described so that it is found again when threads run in another order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/steps.h"

namespace lanescope::scene {

// A warp's visit of a line, counted from 0 in a phase: what a warp does between two barriers is the same in
// every order, unless the kernel has a race.
struct NotePlace {
    std::uint32_t launch = 0, phase = 0, line = 0, warp = 0, visit = 0;
    bool operator==(const NotePlace&) const = default;
};

// Returns the place of the step's first turn; nothing when there is no such step. `steps`: of a block, by
// lines.
std::optional<NotePlace> place_of_step(const trace::Trace& trace, const std::vector<trace::Step>& steps,
                                       std::size_t step);
// Returns the step with that visit; nothing when this run has none.
std::optional<std::size_t> step_of_place(const trace::Trace& trace, const std::vector<trace::Step>& steps,
                                         const NotePlace& place);

}  // namespace lanescope::scene
