// Why a race is one, as a small picture: the ways of its two threads from their last synchronisation to the
// accesses.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lanescope::scene {

struct RacePath {
    struct Stop {
        unsigned row = 0;     // time goes down
        bool access = false;  // else the beginning of the kernel, or a synchronisation
        std::string text;     // "writes data[0], line 23"
    };
    struct Way {
        std::string thread;       // "t31 of block 0"
        std::vector<Stop> stops;  // from the synchronisation to the access
    };
    std::array<Way, 2> ways;  // of the earlier and of the later access
    bool together = false;    // both begin at the same place, such as a barrier
    unsigned rows = 0;        // 0: there is nothing to draw
    std::string remedy;       // what would order the two accesses
};

// Empty for a problem that is not a race, and where the ways of its threads were not kept.
RacePath race_path(const trace::Problem& problem);

}  // namespace lanescope::scene
