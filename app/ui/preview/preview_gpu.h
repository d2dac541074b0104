// The preview's GPU: results go into an OpenGL buffer and from there into a texture, on the device.
#pragma once

#include <memory>
#include <string>

#include "preview/model/filter_device.h"
#include "render/buffer.h"
#include "render/texture.h"

namespace lanescope::ui {

// Everything but run(), fetch() and lost() on the thread of the OpenGL context, which must be current.
class PreviewGpu : public preview::FilterDevice {
  public:
    std::string name() const override;
    // The first one opens the GPU; the buffer is made ready.
    Result<void> begin(std::uint32_t width, std::uint32_t height) override;
    Result<void> end(bool show) override;  // with a picture: texture() shows it
    Result<preview::GpuFilter::Times> run(const preview::Run& run, const std::atomic<bool>* cancel) override;
    Result<void> fetch(preview::Run& into) override;
    bool lost() const override;

    unsigned texture() const;               // 0: results have to come through the host
    void average() { texture_.average(); }  // before the texture is drawn smaller than it is
    // Why the result comes through the host; empty when it does not.
    const std::string& note() const { return note_; }

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
