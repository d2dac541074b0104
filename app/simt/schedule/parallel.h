// The blocks of a launch, on one thread or on several.
//
// Several are used when nothing is recorded, the schedule is the default one and the kernel's blocks are
// apart (independence.h). Only the order of events then differs from a run on one thread. If that order could
// show, in a problem or at a limit on steps, memory is restored and one thread runs the launch again.
//
// Inaccuracies: blocks that race for the same bytes also race here; such a program may have another result
// than on one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "simt/launch/launch.h"
#include "simt/launch/schedule.h"
#include "simt/schedule/run_clock.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

// Runs the launch until it ends or is stopped.
Ending run_blocks(LaunchContext& run, const Schedule& schedule, const std::atomic<bool>* cancel,
                  const std::function<void(std::uint64_t)>& progress, RunClock& clock);

}  // namespace lanescope::simt
