// "Predict, then reveal": what the person typed for results that are hidden, judged when they are revealed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "session/playhead/lane_values.h"

namespace lanescope::session {

// A result of the current step: a cell of an array ("s[3]"), or the value of an expression in one lane.
struct HiddenPlace {
    std::string text;                    // of the cell or the expression
    std::uint32_t thread = trace::none;  // of the block; none: a cell
    auto operator<=>(const HiddenPlace&) const = default;
};

struct Prediction {
    enum class State : std::uint8_t { open, right, wrong } state{};
    std::string typed, actual;  // actual: once it is judged
};

class Predictions {
  public:
    Predictions(const Playhead& playhead, const LaneValues& values) : playhead_(playhead), values_(values) {}

    // While the results of the step are hidden: sets what the person expects; empty: nothing. A place that
    // was judged in this run keeps its first verdict.
    void type(const HiddenPlace& place, const std::string& typed);
    // After every move: judges the predictions of a step that is revealed, and forgets those of an older run.
    void follow();

    const Prediction* of(const HiddenPlace& place) const;  // in the current step; null: nothing was typed
    const std::map<HiddenPlace, Prediction>& of_step() const;
    // These count over the whole run.
    int right() const { return right_; }
    int judged() const { return judged_; }

  private:
    using StepKey = std::pair<std::uint32_t, std::uint64_t>;  // block, first turn
    StepKey here() const;
    std::string actual(const HiddenPlace& place) const;

    const Playhead& playhead_;
    const LaneValues& values_;
    const execution::RunResult* run_ = nullptr;
    std::map<StepKey, std::map<HiddenPlace, Prediction>> steps_;
    int right_ = 0, judged_ = 0;
};

}  // namespace lanescope::session
