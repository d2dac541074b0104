// A run with what stepping through it needs, made off the frame loop.
#pragma once

#include <memory>
#include <vector>

#include "base/jobs.h"
#include "execution/run/run.h"
#include "trace/replay.h"
#include "trace/steps.h"

namespace lanescope::session {

struct PreparedTrace {
    std::shared_ptr<execution::RunResult> result;
    std::uint32_t block = 0;
    trace::Granularity granularity{};
    std::unique_ptr<trace::Replay> replay;  // with its index of turns; null where nothing was recorded
    std::vector<trace::Step> steps;         // of that block, at that granularity
    std::vector<float> lanes_on;

    PreparedTrace(execution::RunResult run, std::uint32_t wanted_block, trace::Granularity wanted);
    // Makes the report now if it is still to come and the first step is as long as the trace. Errors: those
    // of count_trace().
    Result<void> make_first_step_near(JobContext& context);
};

}  // namespace lanescope::session
