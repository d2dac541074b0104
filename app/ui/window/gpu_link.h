// The window's GPU engine. Traced runs write their records into an OpenGL buffer, and the map of threads is
// drawn from that buffer.
#pragma once

#include <memory>
#include <string>

#include "gpu/interop/live_gpu.h"
#include "render/buffer.h"
#include "session/runner/device_source.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class GpuLink : public session::DeviceSource {
  public:
    // `window` gets the streams of each run. The OpenGL context must be current in every call.
    explicit GpuLink(WindowState& window) : window_(window) {}

    std::string name() const override;
    Result<gpu::TraceDevice*> begin_run() override;
    void end_run(const session::RunResult* result) override;

  private:
    Result<void> open();
    void share_buffer();
    Result<void> show(const session::RunResult& result);

    WindowState& window_;
    std::unique_ptr<gpu::LiveGpu> gpu_;
    std::shared_ptr<const render::Buffer> records_;  // null: OpenGL is on another device
};

}  // namespace lanescope::ui
