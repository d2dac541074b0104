// Which values of cells nothing reads again.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "scene/stage/stage_arrays.h"
#include "trace/steps.h"

namespace lanescope::scene {

class CellUses {
  public:
    // Looks at the arrays that a block sees in a launch. Other blocks and launches count for global memory;
    // arrays of which some reads are not recorded, or that are very large, are left out. Once `cancelled` is
    // set, what was found so far is of no use.
    CellUses(const trace::Trace& trace, std::span<const StageArray> arrays, const trace::Step& place,
             const std::atomic<bool>* cancelled = nullptr);

    // Whether no thread reads the value that the cell holds after the turns before `turn`. The last value
    // that a kernel leaves in global memory is a result, not a dead value.
    bool dead(std::uint32_t array, std::uint64_t cell, std::uint64_t turn) const;

  private:
    struct Use {
        std::uint64_t written =
            0;                   // the number of turns after which the value is there; 0: from the beginning
        std::uint64_t read = 0;  // the number of turns after which it was read for the last time; 0: never
    };
    void note(const trace::Trace& trace, std::uint64_t turn, const trace::TurnDetail& detail,
              std::span<const StageArray> arrays, const trace::Step& place);

    std::vector<std::vector<std::vector<Use>>> uses_;  // by array and cell; empty: left out
    std::vector<bool> global_;                         // by array
};

}  // namespace lanescope::scene
