// The preview's GPU: results go into an OpenGL buffer and from there into a texture, on the device.
#pragma once

#include <memory>
#include <string>

#include "preview/model/filter_device.h"
#include "render/buffer.h"
#include "render/texture.h"

namespace lanescope::ui {

// All functions except run(), fetch() and lost() must be called on the thread of the current OpenGL context.
class PreviewGpu : public preview::FilterDevice {
  public:
    std::string name() const override;
    // Prepares the buffer; the first call opens the GPU.
    Result<void> begin(std::uint32_t width, std::uint32_t height) override;
    Result<void> end(bool show) override;  // `show`: texture() gets the result
    Result<preview::GpuFilter::Times> run(const preview::Run& run, const std::atomic<bool>* cancel) override;
    Result<void> fetch(preview::Run& into) override;
    bool lost() const override;

    unsigned texture() const;               // 0: results come through the host
    void average() { texture_.average(); }  // call it before the texture is drawn at a smaller size
    // Why results come through the host; empty if they do not.
    const std::string& note() const { return note_; }

  private:
    void make_buffer(std::uint32_t width, std::uint32_t height);

    render::Buffer pixels_;  // declared before filter_, which has it registered and must be destroyed first
    std::unique_ptr<preview::GpuFilter> filter_;
    render::Texture texture_;
    std::uint32_t width_ = 0, height_ = 0;
    bool shown_ = false;
    std::string note_;
};

}  // namespace lanescope::ui
