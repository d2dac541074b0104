#include "session/runner/device_source.h"

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

Result<RunResult> execute_on_device(RunRequest request, const std::atomic<bool>* cancel,
                                    const RunProgress& progress) {
    RunRequest first = request;
    first.device = nullptr;
    first.traced = false;
    const Result<RunResult> tried = execute(first, cancel, progress);
    if (!tried) return tried;
    for (const trace::Problem& problem : tried->problems)
        if (ends_cuda(problem.kind))
            return error_at(
                request.file, static_cast<int>(problem.first.line), 0,
                "not run on the GPU, because it would end CUDA for this program: " + problem.message,
                "run it on the CPU engine to see the problem");
    return execute(request, nullptr, progress);  // CUDA cannot stop a kernel
}

}  // namespace lanescope::session
