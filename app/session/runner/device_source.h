// Gives a session the GPU for its runs. OpenGL can draw the records of the window's device.
#pragma once

#include <memory>
#include <string>

#include "execution/run/run.h"
#include "gpu/traced/trace_device.h"

namespace lanescope::session {

// A device of another process: a fault or a kernel that does not end costs this process alone, and cancelling
// a launch ends the process if the kernel does not stop.
class DeviceSource {
  public:
    virtual ~DeviceSource() = default;
    virtual std::string name() const = 0;  // "NVIDIA H200"; empty before the first run
    // Called on the thread that updates the session, before a run and after it (null: the run failed). The
    // run opens the device.
    virtual Result<gpu::TraceDevice*> begin_run() = 0;
    virtual void end_run(const execution::RunResult* result) = 0;
};

// Whether the problem, on a GPU, ends CUDA for the whole process, or never ends.
bool ends_cuda(trace::ProblemKind kind);

// Runs on the open device, and names the line of a fault that its records do not show, as the CPU machine
// finds it. Errors: those of execute().
Result<execution::RunResult> execute_on_device(execution::RunRequest request, const std::atomic<bool>* cancel,
                                               const execution::RunProgress& progress);

}  // namespace lanescope::session
