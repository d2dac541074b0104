#include "session/runner/device_source.h"

#include <algorithm>

#include "gpu/traced/traced_engine.h"

namespace lanescope::session {

bool ends_cuda(trace::ProblemKind kind) {
    switch (kind) {
        case trace::ProblemKind::out_of_bounds:
        case trace::ProblemKind::misaligned:
        case trace::ProblemKind::trap:
        case trace::ProblemKind::deadlock:
        case trace::ProblemKind::step_limit:
        case trace::ProblemKind::timeout:
            return true;
        default:
            return false;
    }
}

namespace {

// The GPU does not say which thread of which line faults, and calls most faults the same. The CPU machine
// says more, where it finds the same. An access that the records show needs no explanation.
void explain_fault(const execution::RunRequest& request, execution::RunResult& result,
                   const std::atomic<bool>* cancel) {
    constexpr double most_seconds = 2;
    const auto fault = std::find_if(
        result.problems.begin(), result.problems.end(),
        [](const trace::Problem& each) { return ends_cuda(each.kind) && !each.first.has_access; });
    if (fault == result.problems.end()) return;
    execution::RunRequest again = request;
    again.device = nullptr;
    again.traced = false;
    again.limits.seconds = std::min(again.limits.seconds, most_seconds);
    const Result<execution::RunResult> tried = execution::execute(again, cancel);
    if (!tried) return;
    const auto same =
        std::find_if(tried->problems.begin(), tried->problems.end(), [](const trace::Problem& each) {
            return !each.note && each.first.line != 0 && each.kind != trace::ProblemKind::race;
        });
    if (same == tried->problems.end()) return;
    if (const std::size_t advice = fault->message.find(gpu::ask_the_cpu); advice != std::string::npos)
        fault->message.erase(advice);
    fault->message += "; the CPU machine finds: " + same->message;
    if (fault->kind == trace::ProblemKind::trap) fault->kind = same->kind;
    if (fault->first.line == same->first.line) return;
    fault->first.line = same->first.line;
    fault->first.block = same->first.block;
    fault->first.thread = same->first.thread;
    fault->first.pc = same->first.pc;
    fault->first.turn = trace::ProblemSite().turn;
}

}  // namespace

Result<execution::RunResult> execute_on_device(execution::RunRequest request, const std::atomic<bool>* cancel,
                                               const execution::RunProgress& progress) {
    Result<execution::RunResult> result = execution::execute(request, cancel, progress);
    if (result) explain_fault(request, *result, cancel);
    return result;
}

}  // namespace lanescope::session
