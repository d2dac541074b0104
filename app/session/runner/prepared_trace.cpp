#include "session/runner/prepared_trace.h"
#include "execution/run/opened_trace.h"

#include <thread>

namespace lanescope::session {

PreparedTrace::PreparedTrace(execution::RunResult run, std::uint32_t wanted_block, trace::Granularity wanted)
    : result(std::make_shared<execution::RunResult>(std::move(run))),
      block(wanted_block),
      granularity(wanted) {
    if (!result->trace || result->trace->turns.empty()) return;
    replay = std::make_unique<trace::Replay>(result->trace);
    const std::jthread indexing([this] { replay->turns(); });
    steps = execution::steps_of(*result->trace, result->turn_log.get(), block, granularity);
    lanes_on = analysis::lanes_on(*result->trace, steps);
}

Result<void> PreparedTrace::make_first_step_near(JobContext& context) {
    if (result->report_ready || steps.empty() || replay->is_near(steps.front().first, steps.front().end))
        return {};
    Result<analysis::Report> report =
        execution::count_trace(*result->trace, *result->instructions, result->file, &context.cancel_flag(),
                               [&](float share) { context.report(share); });
    if (!report) return report.diagnostics();
    result->report = std::move(*report);
    result->report_ready = true;
    return {};
}

}  // namespace lanescope::session
