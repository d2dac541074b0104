// Facts about a finished run.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "preview/run/run.h"

namespace lanescope::preview {

inline constexpr std::size_t histogram_bins = 64;  // equal parts of all levels

struct RunFacts {
    Loads loads;
    Difference difference;
    std::uint64_t missing = 0;  // pixels that were not written
    std::vector<trace::Problem> problems;
    std::array<std::uint32_t, histogram_bins> levels_before{}, levels_after{};  // samples of colour

    // Levels by which a correct kernel of this file may differ: its last rounding, and that of the mask.
    std::uint32_t allowed_levels = 1;

    bool as_expected() const {
        return problems.empty() && missing == 0 && difference.largest_in_levels <= allowed_levels;
    }
};

// Errors: those of Run::loads().
Result<RunFacts> facts_of(const Run& run, const std::atomic<bool>* cancel);

}  // namespace lanescope::preview
