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

// Turns [first, end) of the trace, of which those of `block` count. Steps of one block are disjoint and
// ascending; between two of them other blocks may run.
struct Step {
    std::uint64_t first = 0, end = 0;  // `end` is one past the block's last turn of this step
    std::uint32_t launch = 0;
    std::uint32_t block = 0;  // in that launch
    std::uint32_t line = 0;
    std::uint32_t phase = 0;  // barriers the block has passed in this launch
};

// Steps over all launches for the focus block (a launch with fewer blocks uses its block 0).
std::vector<Step> build_steps(const Trace& trace, std::uint32_t focus_block, Granularity granularity);

// The step that holds, or comes next after, this turn; the last one when none comes after it.
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
