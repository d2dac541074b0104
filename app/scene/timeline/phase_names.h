// Names of barrier phases: "stride 2", where a loop variable of the kernel has one value in all lanes of a
// warp during a phase and another one in the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lanescope::scene {

struct PhaseSpan {
    std::uint32_t launch = 0, block = 0;
    std::uint64_t turn = 0;  // of one warp, well inside of the phase
};

// Returns a name for each phase, empty where there is none. With more than a thousand phases all are empty.
std::vector<std::string> phase_names(const trace::Trace& trace, std::span<const PhaseSpan> phases,
                                     const std::atomic<bool>* cancelled = nullptr);

}  // namespace lanescope::scene
