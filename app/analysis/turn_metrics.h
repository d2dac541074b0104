// Metrics of some turns, where the program's instructions are known.
#pragma once

#include <vector>

#include "analysis/code.h"
#include "analysis/metrics.h"
#include "trace/replay.h"

namespace lanescope::analysis {

// As measure_turns() of metrics.h, without the requests of the texture unit. `code`: of the trace; null
// counts every request.
Metrics measure_turns(const std::vector<trace::TurnDetail>& details, const trace::Trace& trace,
                      const Code* code);

}  // namespace lanescope::analysis
