// A CUDA context on one device, which owns loaded code and memory.
//
// The remedies against a faulty kernel (seen on an H200 with driver 580):
// - A fault (illegal address, trap) ends CUDA for the whole process: every context fails, and new ones are
//   refused until the program is started again. OpenGL is not touched.
// - A kernel that does not end cannot be stopped: destroying its context waits for it, and so does a normal
//   end of the process. A new context works beside it and shares the GPU's time with it. _exit() ends both
//   at once: end_process().
// A process that must survive therefore lets a child process run the kernel first: child_run.h. The system's
// own watchdog ends kernels after some seconds, as a fault, but only on a GPU that draws a display
// (DeviceFacts::has_watchdog).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "gpu/driver/driver.h"

namespace lanescope::gpu {

struct DeviceFacts {
    int ordinal = 0;  // CUDA's number of the device
    std::string name;
    int compute_capability = 0;  // 90: 9.0
    int sm_count = 0;
    std::uint64_t l2_bytes = 0;
    std::string driver;         // "CUDA 13.0, driver 580.95.05"
    bool has_watchdog = false;  // the system ends kernels that run for some seconds: the GPU draws a display
};

// The life of a context. Buffers, streams and events share it, so that they know whether the context ended.
struct ContextLife {
    std::shared_ptr<const Driver> driver;
    CUcontext handle = nullptr;
    CUstream stream = nullptr;
    bool borrowed = false;    // another part of this process owns it
    bool unfinished = false;  // a kernel may still run in it, and releasing anything would wait for its end

    ~ContextLife();
    void end();  // destroys the context, but leaves an unfinished one behind until the process ends
    bool releases() const { return handle && !unfinished; }
};

// Makes a context current on this thread for a scope, and the one before again at its end.
class CurrentContext {
  public:
    explicit CurrentContext(const ContextLife& life);
    ~CurrentContext();
    CurrentContext(const CurrentContext&) = delete;
    CurrentContext& operator=(const CurrentContext&) = delete;
    explicit operator bool() const { return pushed_; }

  private:
    const ContextLife& life_;
    bool pushed_ = false;
};

enum class Waited { finished, timed_out, cancelled };

struct WaitLimit {
    double seconds = 0;                            // 0: none
    const std::atomic<bool>* cancelled = nullptr;  // may be null
};

class Context {
  public:
    // Current on the calling thread when it returns. Errors: the driver's own (Driver::open); no such device;
    // the GPU is older than compute capability 7.5.
    static Result<Context> create(int ordinal = 0);
    static Result<Context> create(std::shared_ptr<const Driver> driver, int ordinal = 0);

    // The context that is current on the calling thread, such as that of CUDA's runtime; it stays as it is.
    static Result<Context> borrow(std::shared_ptr<const Driver> driver, int ordinal);

    const Driver& driver() const { return *life_->driver; }
    bool is_borrowed() const { return life_->borrowed; }
    const DeviceFacts& device() const { return facts_; }
    const std::shared_ptr<ContextLife>& life() const { return life_; }
    // The context's own stream; copies through buffers and work in the default stream wait for its work.
    CUstream stream() const { return life_->stream; }

    Result<void> make_current() const;  // on the calling thread
    // Driver::check, or the error that the context was lost and could not be rebuilt.
    Result<void> check(CUresult status, const std::string& what) const;

    // Polls until all work in the stream has ended, for as long as the limit allows. Error: the work failed.
    // After timed_out and cancelled the work goes on: wait again, or leave it behind with rebuild().
    Result<Waited> wait(CUstream stream, const WaitLimit& limit) const;

    // Makes a new context, current on the calling thread. The old one is destroyed with all that is in it, or
    // left behind with a kernel that does not end. Modules are gone; buffers, streams and events of the old
    // one hold nothing. Errors: after a fault the driver may refuse; a borrowed context is not made anew.
    Result<void> rebuild();

  private:
    Context(std::shared_ptr<ContextLife> life, DeviceFacts facts)
        : life_(std::move(life)), facts_(std::move(facts)) {}

    std::shared_ptr<ContextLife> life_;
    DeviceFacts facts_;
};

// Must be the last call of main(): returns `code`, or ends the process with it if a kernel was left behind.
int end_process(int code);

}  // namespace lanescope::gpu
