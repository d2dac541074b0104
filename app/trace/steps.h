// Steps: turns of one block, grouped for people. Built once per trace, block and granularity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/trace.h"

namespace lanescope::trace {

enum class Granularity : std::uint8_t {
    turn,   // one line of one warp
    line,   // consecutive turns of the block on the same line, shown together (default)
    phase,  // up to the block's next barrier
    launch,
};

// The turns of `block` in [first, end) of the trace. Steps of one block are disjoint and ascending; other
// blocks may run between them.
struct Step {
    std::uint64_t first = 0, end = 0;  // `end` is one past the block's last turn of this step
    std::uint32_t launch = 0;
    std::uint32_t block = 0;  // in that launch
    std::uint32_t line = 0;
    std::uint32_t phase = 0;  // number of barriers that the block has passed in this launch
};

// Returns the steps of the focus block over all launches. A launch without that block uses its first recorded
// block.
std::vector<Step> build_steps(const Trace& trace, std::uint32_t focus_block, Granularity granularity);

// Returns the step that holds this turn, or the next step, or else the last step.
std::size_t step_at(const std::vector<Step>& steps, std::uint64_t turn);

// Turn numbers per (launch, block, warp), ascending, for timelines and lane states. Keeps no reference to the
// trace.
class TurnIndex {
  public:
    explicit TurnIndex(const Trace& trace);
    const std::vector<std::uint64_t>& turns(std::uint32_t launch, std::uint32_t block,
                                            std::uint32_t warp) const;

  private:
    struct Warps {
        std::uint64_t per_block = 1;
        std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> turns;  // by block × per_block + warp
    };
    std::vector<Warps> launches_;
};

}  // namespace lanescope::trace
