// The preview's GPU: results go into an OpenGL buffer and from there into a texture, on the device.
#pragma once

#include <memory>
#include <string>

#include "preview/run/gpu_filter.h"
#include "render/buffer.h"
#include "render/texture.h"

namespace lanescope::ui {

// Everything on the thread of the OpenGL context, which must be current.
class PreviewGpu {
  public:
    // Before a run on an image of this size: opens the GPU at the first, makes the buffer ready. Errors:
    // there is no GPU; too little memory.
    Result<preview::GpuFilter*> begin(std::uint32_t width, std::uint32_t height);
    // After it. With a result: texture() shows it. Error: the driver's.
    Result<void> end(bool result);

    unsigned texture() const;               // 0: results have to come through the host
    void average() { texture_.average(); }  // before the texture is drawn smaller than it is
    // Why they do; empty when they do not.
    const std::string& note() const { return note_; }
    std::string name() const;  // of the GPU; empty while it was not asked for

  private:
    void make_buffer(std::uint32_t width, std::uint32_t height);

    render::Buffer pixels_;  // before filter_, with which it is registered: it ends after it
    std::unique_ptr<preview::GpuFilter> filter_;
    render::Texture texture_;
    std::uint32_t width_ = 0, height_ = 0;
    bool shown_ = false;
    std::string note_;
};

}  // namespace lanescope::ui
