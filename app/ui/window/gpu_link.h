// The window's GPU engine: a process that runs the kernels, on this machine or another one. Where it can
// share memory with OpenGL, the map of threads is drawn from the records in the GPU's memory. This process
// has no CUDA context of its own.
#pragma once

#include <memory>
#include <string>

#include "gpu/served/served_device.h"
#include "render/buffer.h"
#include "session/runner/device_source.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class GpuLink : public session::DeviceSource {
  public:
    // `window` gets the streams of each run. The OpenGL context must be current in every call.
    explicit GpuLink(WindowState& window) : window_(window) {}

    // Where the next run finds its GPU, as --gpu says it; empty: this machine.
    void use_place(std::string place) { wanted_ = std::move(place); }

    std::string name() const override { return name_; }
    Result<gpu::TraceDevice*> begin_run() override;
    void end_run(const execution::RunResult* result) override;

  private:
    Result<void> import_records();
    Result<void> show(const execution::RunResult& result);

    WindowState& window_;
    std::string wanted_, place_, name_;
    std::unique_ptr<gpu::ServedDevice> device_;
    std::shared_ptr<const gpu::ExportedMemory> shared_;  // that records_ was made of
    std::shared_ptr<const render::Buffer> records_;      // null: they are not drawn in place
};

}  // namespace lanescope::ui
