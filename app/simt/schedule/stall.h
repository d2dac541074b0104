// Detects a deadlock of spinning threads: while no thread changes memory, a group of lanes whose registers,
// local memory and pc return to an earlier state will loop for ever. The clock must stand for that, see
// Scheduler::pass_time().
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "simt/state/block.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

// Pc, calls, registers and local memory of a group. Registers of lanes that share its frames count, too.
std::uint64_t state_of(const Warp& warp, const Group& group);

// Brent's search for a cycle: the state is compared with one that is kept for 1, 2, 4, … turns.
struct CycleSearch {
    std::uint64_t kept = 0, turns = 0, limit = 0;
    bool stuck = false;

    void note(std::uint64_t state);
};

class StallDetector {
  public:
    // A thread made progress.
    void reset() { rounds_.clear(); }
    // After a turn of the warp in which memory did not change.
    void note_turn(const Warp& warp);
    // Returns whether every group of these blocks waits at a barrier or loops for ever, one of them polling
    // memory.
    bool all_stuck(const std::vector<std::unique_ptr<Block>>& blocks) const;

  private:
    std::map<std::pair<const Warp*, Mask>, CycleSearch> rounds_;
};

}  // namespace lanescope::simt
