// Streams and events of a context.
#pragma once

#include <memory>

#include "base/result.h"
#include "gpu/driver/context.h"

namespace lanescope::gpu {

class Stream {
  public:
    static Result<Stream> create(const Context& context);  // does not wait for the default stream
    ~Stream();
    Stream(Stream&& other) noexcept;
    Stream& operator=(Stream&& other) noexcept;

    CUstream handle() const { return handle_; }

  private:
    Stream(std::shared_ptr<ContextLife> life, CUstream handle) : life_(std::move(life)), handle_(handle) {}
    void release();

    std::shared_ptr<ContextLife> life_;
    CUstream handle_ = nullptr;
};

class Event {
  public:
    static Result<Event> create(const Context& context);  // with a time
    ~Event();
    Event(Event&& other) noexcept;
    Event& operator=(Event&& other) noexcept;

    CUevent handle() const { return handle_; }
    Result<void> record(CUstream stream = nullptr);
    Result<void> synchronize() const;
    // From `begin` to this one; both must have happened. The resolution is about half a microsecond.
    Result<double> milliseconds_since(const Event& begin) const;

  private:
    Event(std::shared_ptr<ContextLife> life, CUevent handle) : life_(std::move(life)), handle_(handle) {}
    void release();

    std::shared_ptr<ContextLife> life_;
    CUevent handle_ = nullptr;
};

}  // namespace lanescope::gpu
