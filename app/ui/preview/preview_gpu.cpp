#include "ui/preview/preview_gpu.h"

#include <utility>

namespace lanescope::ui {

Result<void> PreviewGpu::begin(std::uint32_t width, std::uint32_t height) {
    if (filter_ && filter_->lost()) filter_.reset();
    if (!filter_) {
        width_ = height_ = 0;
        Result<std::unique_ptr<preview::GpuFilter>> opened = preview::GpuFilter::open();
        if (!opened) return opened.diagnostics();
        filter_ = std::move(*opened);
    }
    if (width != width_ || height != height_) make_buffer(width, height);
    return filter_->begin();
}

// If there is no buffer, results go through the host, and note() says why.
void PreviewGpu::make_buffer(std::uint32_t width, std::uint32_t height) {
    shown_ = false;
    note_.clear();
    (void)filter_->use_gl_buffer(0);
    width_ = width;
    height_ = height;
    Result<render::Buffer> made = render::Buffer::create(std::uint64_t{4} * width * height, "the picture");
    const Result<void> window =
        made ? filter_->use_gl_buffer(made->name()) : Result<void>(made.diagnostics());
    if (window)
        pixels_ = std::move(*made);
    else
        note_ = "the picture is copied through the host: " + window.diagnostics().front().message;
}

Result<void> PreviewGpu::end(bool show) {
    if (const Result<void> ended = filter_->end(); !ended) return ended;
    if (!show || !note_.empty()) return {};
    shown_ = false;
    if (const Result<void> copied =
            texture_.copy_from(pixels_, static_cast<int>(width_), static_cast<int>(height_));
        !copied)
        return copied;
    shown_ = true;
    return {};
}

unsigned PreviewGpu::texture() const {
    return shown_ ? texture_.name() : 0;
}

Result<preview::GpuFilter::Times> PreviewGpu::run(const preview::Run& run, const std::atomic<bool>* cancel) {
    return filter_->run(run, cancel);
}

Result<void> PreviewGpu::fetch(preview::Run& into) {
    return filter_->fetch(into);
}

bool PreviewGpu::lost() const {
    return filter_ && filter_->lost();
}

std::string PreviewGpu::name() const {
    return filter_ ? filter_->name() : std::string();
}

}  // namespace lanescope::ui
