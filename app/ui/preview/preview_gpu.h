// The preview's GPU: a process that runs the kernels, on this machine or another one, and starts again after
// a fault. Where it can share memory with OpenGL, results go from there into a texture, on the device. This
// process has no CUDA context.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "gpu/served/served_device.h"
#include "preview/model/filter_device.h"
#include "render/buffer.h"
#include "render/texture.h"

namespace lanescope::ui {

// All functions except run(), fetch() and closed() must be called on the thread of the current OpenGL
// context.
class PreviewGpu : public preview::FilterDevice {
  public:
    // Where the next run finds its GPU, as --gpu says it; empty: this machine.
    void use_place(std::string place) { wanted_ = std::move(place); }

    std::string name() const override { return name_; }
    Result<void> begin() override;
    Result<void> end(bool show) override;  // `show`: texture() gets the result
    Result<preview::GpuFilter::Times> run(const preview::Run& run, const std::atomic<bool>* cancel) override;
    Result<void> fetch(preview::Run& into) override;
    bool closed() const override;

    unsigned texture() const;               // 0: results come through the host
    void average() { texture_.average(); }  // call it before the texture is drawn at a smaller size
    // Why results come through the host; empty if they do not.
    const std::string& note() const { return note_; }

  private:
    Result<void> import_picture();

    std::string wanted_, place_, name_;
    std::unique_ptr<gpu::ServedDevice> device_;
    std::unique_ptr<preview::GpuFilter> filter_;  // uses the device
    std::shared_ptr<const gpu::ExportedMemory> picture_;
    render::Buffer pixels_;  // the same memory for OpenGL
    render::Texture texture_;
    std::uint32_t width_ = 0, height_ = 0;
    bool shown_ = false;
    std::string note_;
};

}  // namespace lanescope::ui
