// Where a session gets the GPU for its runs. The window gives one whose records OpenGL can draw.
#pragma once

#include <memory>
#include <string>

#include "gpu/traced/trace_device.h"
#include "session/run/run.h"

namespace lanescope::session {

class DeviceSource {
  public:
    virtual ~DeviceSource() = default;
    virtual std::string name() const = 0;  // "NVIDIA H200"; empty while it was not asked for
    // Both on the thread that updates the session: before a run and after it (null: it failed).
    virtual Result<gpu::TraceDevice*> begin_run() = 0;
    virtual void end_run(const RunResult* result) = 0;
};

// A problem that on a GPU ends CUDA for the whole program, or never ends.
bool ends_cuda(trace::ProblemKind kind);

// A run on the GPU, but only of a kernel that the CPU machine runs without a fault: a fault ends CUDA for the
// whole program. Errors: as of execute(); the faults that the CPU machine found.
Result<RunResult> execute_on_device(RunRequest request, const std::atomic<bool>* cancel,
                                    const std::function<void(float)>& progress);

}  // namespace lanescope::session
