#include "gpu/driver/stream.h"

#include <utility>

namespace lanescope::gpu {

Result<Stream> Stream::create(const Context& context) {
    const CurrentContext current(*context.life());
    CUstream handle = nullptr;
    const CUresult status = context.driver().stream_create(&handle, CU_STREAM_NON_BLOCKING);
    if (const Result<void> made = context.check(status, "making a CUDA stream"); !made)
        return made.diagnostics();
    return Stream(context.life(), handle);
}

void Stream::release() {
    if (life_ && life_->releases()) {
        if (const CurrentContext current(*life_); current) life_->driver->stream_destroy(handle_);
    }
    life_.reset();
}

Stream::~Stream() {
    release();
}

Stream::Stream(Stream&& other) noexcept
    : life_(std::move(other.life_)), handle_(std::exchange(other.handle_, nullptr)) {}

Stream& Stream::operator=(Stream&& other) noexcept {
    if (this == &other) return *this;
    release();
    life_ = std::move(other.life_);
    handle_ = std::exchange(other.handle_, nullptr);
    return *this;
}

Result<Event> Event::create(const Context& context) {
    const CurrentContext current(*context.life());
    CUevent handle = nullptr;
    const CUresult status = context.driver().event_create(&handle, CU_EVENT_DEFAULT);
    if (const Result<void> made = context.check(status, "making a CUDA event"); !made)
        return made.diagnostics();
    return Event(context.life(), handle);
}

void Event::release() {
    if (life_ && life_->releases()) {
        if (const CurrentContext current(*life_); current) life_->driver->event_destroy(handle_);
    }
    life_.reset();
}

Event::~Event() {
    release();
}

Event::Event(Event&& other) noexcept
    : life_(std::move(other.life_)), handle_(std::exchange(other.handle_, nullptr)) {}

Event& Event::operator=(Event&& other) noexcept {
    if (this == &other) return *this;
    release();
    life_ = std::move(other.life_);
    handle_ = std::exchange(other.handle_, nullptr);
    return *this;
}

Result<void> Event::record(CUstream stream) {
    return life_->driver->check(life_->driver->event_record(handle_, stream), "recording a CUDA event");
}

Result<void> Event::synchronize() const {
    return life_->driver->check(life_->driver->event_synchronize(handle_), "waiting for the GPU");
}

Result<double> Event::milliseconds_since(const Event& begin) const {
    float milliseconds = 0;
    const CUresult status = life_->driver->event_elapsed_time(&milliseconds, begin.handle_, handle_);
    if (const Result<void> read = life_->driver->check(status, "reading a CUDA event's time"); !read)
        return read.diagnostics();
    return static_cast<double>(milliseconds);
}

}  // namespace lanescope::gpu
