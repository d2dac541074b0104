// The pinned thread's variables, frame by frame, and each variable across the 32 lanes of its warp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scene/cell_text.h"
#include "ui/inspector/watches_view.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

struct VariableRow {
    std::string name, type, value;  // value empty: not set
    bool changed = false;           // in this step
    bool parameter = false;
    // Across the lanes of the warp, where they are in the same function.
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

class VariablesPanel {
  public:
    void draw(const Rect& inside, const session::Session& session, const WindowState& shared,
              Requests& requests);

  private:
    void prepare(const session::Session& session);
    float draw_row(const Rect& inside, float y, const VariableRow& row, const session::Session& session,
                   const WindowState& shared, Requests& requests, int id);

    std::uint64_t generation_ = ~0ull, first_turn_ = 0, end_turn_ = 0;
    std::uint32_t warp_ = ~0u, lane_ = ~0u;
    bool concealed_ = false;
    std::string thread_;
    std::vector<VariableFrame> frames_;
    WatchesPanel watches_;
    float scroll_ = 0;
};

}  // namespace lanescope::ui
