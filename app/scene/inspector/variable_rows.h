// The variables of one thread, frame by frame, and each of them across the lanes of its warp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "session/session.h"

namespace lanescope::scene {

struct VariableRow {
    std::string name, type, value;  // value empty: not set
    bool changed = false;           // in this step
    bool parameter = false;
    // Across the lanes of the warp that are in the same function.
    std::array<float, trace::warp_size> shares{};  // 0 … 1, negative: no number
    std::string summary;                           // "same in all lanes", "0 … 31"
};

struct VariableFrame {
    std::string function;
    std::vector<VariableRow> rows;
};

// Innermost frame first; empty before the thread's first turn.
std::vector<VariableFrame> variable_frames(const trace::Trace& trace, const trace::Replay& replay,
                                           const session::StepState& step_state, std::uint32_t warp,
                                           std::uint32_t lane);

// "same in 32 lanes", "0 … 31", "3 different" of the texts and numbers of the lanes that have a value.
std::string summarise_lanes(const std::vector<std::string>& texts, const std::vector<double>& numbers);

// "t4 · warp 0, lane 4 · waits at the barrier"
std::string thread_words(const trace::Dim3& block, std::uint32_t thread, const trace::LaneInfo& lane);

}  // namespace lanescope::scene
