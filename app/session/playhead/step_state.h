// The state at one step.
#pragma once

#include <array>
#include <vector>

#include "analysis/metrics.h"
#include "trace/replay.h"
#include "trace/steps.h"

namespace lanescope::session {

// Everything about the current step, made once when the position changes.
struct StepState {
    std::size_t index = 0;  // step number, from 0
    trace::Step step;
    const trace::Launch* launch = nullptr;
    std::vector<trace::TurnDetail> details;  // of the focus block's turns in this step
    std::vector<std::array<trace::LaneInfo, trace::warp_size>>
        warps;  // per warp of the block, after the step
    // Per warp: the lanes that did more than evaluate a condition; analysis/acting_lanes.h. A step of more
    // than one line has all lanes that ran.
    std::vector<trace::Mask> acted;
    analysis::Metrics metrics;  // of this step
    // While single instructions are stepped: the instructions of the step's turn in the order in which they
    // ran, and the number of the current one. `details` holds its events only; memory and variables are those
    // after the turn.
    std::vector<std::uint32_t> pcs;
    std::size_t instruction = 0;
};

}  // namespace lanescope::session
