// The order in which a machine runs warps and threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "simt/launch/thread_schedule.h"

namespace lanescope::simt {

struct Schedule {
    enum class Kind : std::uint8_t { round_robin, warp, seed, threads };
    Kind kind = Kind::round_robin;
    std::uint64_t seed = 0;
    // Blocks that are resident at a time, at most; the others follow in order. 0: all of a grid of up to 64
    // blocks, of a larger one as many as fit into the processor's cache, and more when those only wait for
    // others.
    std::uint32_t resident_blocks = 0;
    // threads: the turns over all launches; see thread_schedule.h.
    std::vector<ThreadTurns> turns;
    ThreadChooser* chooser = nullptr;  // threads: decides instead of `turns`; outlives the machine
};
Result<Schedule> parse_schedule(std::string_view text);  // "rr", "warp", "seed:N", "threads:0*3,1,2.5"
std::string to_text(const Schedule& schedule);           // what parse_schedule() reads

}  // namespace lanescope::simt
