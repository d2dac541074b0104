// The instructions of a turn in the order in which they ran.
#pragma once

#include <vector>

#include "trace/replay.h"

namespace lanescope::analysis {

inline std::vector<std::uint32_t> executed_pcs(const trace::Turn& turn, const trace::TurnDetail& detail) {
    std::vector<std::uint32_t> pcs;
    std::uint32_t pc = turn.pc;
    std::size_t jump = 0;
    for (std::uint32_t ordinal = 0; ordinal < turn.instructions; ++ordinal) {
        pcs.push_back(pc++);
        for (; jump < detail.jumps.size() && detail.jumps[jump].ordinal <= ordinal; ++jump)
            pc = detail.jumps[jump].pc;
    }
    return pcs;
}

}  // namespace lanescope::analysis
