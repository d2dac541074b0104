// What the analyses of a recorded run find.
#pragma once

#include <atomic>
#include <vector>

#include "analysis/code.h"
#include "analysis/metrics.h"
#include "analysis/races.h"
#include "trace/trace.h"

namespace lanescope::execution {

struct Findings {
    analysis::Report report;
    analysis::RaceReport races;
};

// Counts while another thread looks for races: neither needs the other's result. A cancelled result is
// unusable.
Findings find_all(const trace::Trace& trace, const analysis::Code& instructions,
                  const std::vector<trace::GridOrigin>& origins, const std::atomic<bool>* cancel);

}  // namespace lanescope::execution
