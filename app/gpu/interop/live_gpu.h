// The GPU of this machine as an engine, without CUDA's types in the interface.
#pragma once

#include <cstdint>
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
    std::uint64_t free_bytes() const;

    // Traced runs write their records into this OpenGL buffer, whose context is current on the calling
    // thread. Error: OpenGL is on another device; records then stay in CUDA's own memory.
    Result<void> use_gl_buffer(unsigned gl_buffer);
    // Around a run, on the thread of the OpenGL context: OpenGL must not use the buffer in between.
    Result<TraceDevice*> begin_run();
    Result<void> end_run();
    bool records_in_gl() const;  // the last run wrote into the buffer

  private:
    struct State;
    explicit LiveGpu(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::gpu
