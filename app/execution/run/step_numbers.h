// Finds the number of the step at which a problem occurs in its block, from 1, as the window and `run
// --steps` count steps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "execution/run/run.h"
#include "trace/steps.h"
#include "trace/trace.h"

namespace lanescope::execution {

class StepNumbers {
  public:
    StepNumbers() = default;  // there are no steps
    explicit StepNumbers(const RunResult& result) : trace_(result.trace.get()), log_(result.turn_log.get()) {}

    // Nothing when the place was not recorded, or when 32 other blocks were asked about before.
    std::optional<std::size_t> of(const trace::ProblemSite& site) {
        constexpr std::size_t most = 32;
        if (trace_ == nullptr || site.turn >= trace_->turns.size() || site.block == trace::none) return {};
        auto found = steps_.find(site.block);
        if (found == steps_.end()) {
            if (steps_.size() >= most) return {};
            found = steps_.emplace(site.block, steps_of(*trace_, log_, site.block, trace::Granularity::line))
                        .first;
        }
        if (found->second.empty()) return {};
        return trace::step_at(found->second, site.turn) + 1;
    }

  private:
    const trace::Trace* trace_ = nullptr;
    const TurnLog* log_ = nullptr;
    std::map<std::uint32_t, std::vector<trace::Step>> steps_;
};

}  // namespace lanescope::execution
