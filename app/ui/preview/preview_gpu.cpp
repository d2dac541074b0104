#include "ui/preview/preview_gpu.h"

#include "gpu/served/device_command.h"
#include "render/gl.h"

namespace lanescope::ui {

namespace {

constexpr double most_seconds = 10;  // of a run

}  // namespace

Result<void> PreviewGpu::begin() {
    if (!device_ || place_ != wanted_) {
        filter_.reset();
        Result<std::unique_ptr<gpu::ServedDevice>> made =
            gpu::make_served_device(wanted_.empty() ? "local" : wanted_, LANESCOPE_VERSION, 0);
        if (!made) return made.diagnostics();
        device_ = std::move(*made);
        place_ = wanted_;
        filter_ = std::make_unique<preview::GpuFilter>(*device_, most_seconds);
        filter_->show_picture();
        if (wanted_.empty()) filter_->try_kernels_first();
    }
    if (pixels_.exists()) glFinish();  // the run overwrites it: what is copied from it must be done
    return {};
}

// A process that replaces another has other memory.
Result<void> PreviewGpu::import_picture() {
    const std::shared_ptr<const gpu::ExportedMemory> now = filter_->picture();
    if (now && now == picture_ && pixels_.exists()) return {};
    pixels_ = render::Buffer();
    picture_ = now;
    if (!now) return error(filter_->why_no_picture());
    Result<render::Buffer> made =
        render::Buffer::import(now->descriptor, now->size_bytes, now->device, "the picture");
    if (!made) return made.diagnostics();
    pixels_ = std::move(*made);
    return {};
}

// If OpenGL cannot open the picture, results go through the host, and note() says why.
Result<void> PreviewGpu::end(bool show) {
    name_ = device_->name();
    if (!show) return {};
    shown_ = false;
    note_.clear();
    if (const Result<void> there = import_picture(); !there) {
        note_ = "the picture is copied through the host: " + there.diagnostics().front().message;
        return {};
    }
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
    width_ = run.request().image->width;
    height_ = run.request().image->height;
    return filter_->run(run, cancel);
}

Result<void> PreviewGpu::fetch(preview::Run& into) {
    return filter_->fetch(into);
}

bool PreviewGpu::closed() const {
    return filter_ && filter_->closed();
}

}  // namespace lanescope::ui
