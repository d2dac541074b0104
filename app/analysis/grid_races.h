// Finds races between a kernel and the grids that it launches.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "analysis/code.h"
#include "analysis/races.h"
#include "trace/trace.h"

namespace lanescope::analysis {

// What a kernel does to global memory after a launch runs at the same time as the launched grid: code on the
// device cannot wait for it (CUDA C++ Programming Guide, "Dynamic Parallelism"). Accesses of both to the same
// bytes race if one of them writes and not both are strong. `origins` are launches that are not tail
// launches.
//
// Inaccuracies: what other threads of the parent did before the launch, without an order, is not examined,
// nor are grids that the launched grid launches itself.
RaceReport find_grid_races(const trace::Trace& trace, const Code& code,
                           std::span<const trace::GridOrigin> origins, const RaceLimits& limits = {},
                           const std::atomic<bool>* cancelled = nullptr);

}  // namespace lanescope::analysis
