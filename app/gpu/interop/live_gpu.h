// The GPU of this machine as an engine, without CUDA's types in the interface.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "gpu/traced/trace_device.h"

namespace lanescope::gpu {

class LiveGpu {
  public:
    // Errors: those of Context::create, one line that says what is missing and what still works.
    static Result<std::unique_ptr<LiveGpu>> open();
    ~LiveGpu();
    LiveGpu(const LiveGpu&) = delete;
    LiveGpu& operator=(const LiveGpu&) = delete;

    const std::string& name() const;  // "NVIDIA H200"
    // For one run after the other; the device of the run before ends.
    TraceDevice& begin_run();

  private:
    struct State;
    explicit LiveGpu(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::gpu
