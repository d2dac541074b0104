// Gives a session the GPU for its runs. OpenGL can draw the records of the window's device.
#pragma once

#include <memory>
#include <string>

#include "gpu/traced/trace_device.h"
#include "session/run/run.h"

namespace lanescope::session {

class DeviceSource {
  public:
    virtual ~DeviceSource() = default;
    virtual std::string name() const = 0;  // "NVIDIA H200"; empty before the first run
    // Called on the thread that updates the session, before a run and after it (null: the run failed).
    virtual Result<gpu::TraceDevice*> begin_run() = 0;
    virtual void end_run(const RunResult* result) = 0;
};

// Whether the problem, on a GPU, ends CUDA for the whole program, or never ends.
bool ends_cuda(trace::ProblemKind kind);

// Runs on the GPU a kernel that the CPU machine runs without a fault, because a fault ends CUDA for the whole
// program. Errors: those of execute(); the faults that the CPU machine found.
Result<RunResult> execute_on_device(RunRequest request, const std::atomic<bool>* cancel,
                                    const RunProgress& progress);

}  // namespace lanescope::session
