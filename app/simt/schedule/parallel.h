// The blocks of a launch, on one thread or on several.
//
// Several are used when nothing is recorded, the schedule is the default one and the kernel's blocks are
// apart (independence.h). Then only the order of events tells them from one thread; whenever that could show
// – a problem, a limit on steps – memory is put back and one thread runs the launch again.
//
// Inaccuracies: blocks that race for the same bytes race here, too; such a program may end otherwise than on
// one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "simt/launch/launch.h"
#include "simt/launch/schedule.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

// Runs the launch to its end, or to what stops it.
Ending run_blocks(LaunchContext& run, const Schedule& schedule, const std::atomic<bool>* cancel,
                  const std::function<void(std::uint64_t)>& progress,
                  std::chrono::steady_clock::time_point start);  // of the time limit

}  // namespace lanescope::simt
