// Filters an image with a kernel on the GPU: the image goes there once, and the result need not come back to
// be seen. The kernel file's optimised machine code runs untouched; assets/preview/planes.cu splits the image
// into the planes that it takes and merges its results.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/result.h"
#include "preview/run/run.h"

namespace lanescope::preview {

class GpuFilter {
  public:
    // Errors: those of gpu::Context::create, which say what is missing and what still works.
    static Result<std::unique_ptr<GpuFilter>> open();
    ~GpuFilter();
    GpuFilter(const GpuFilter&) = delete;
    GpuFilter& operator=(const GpuFilter&) = delete;

    const std::string& name() const;    // "NVIDIA H200"
    const std::string& driver() const;  // "CUDA 13.0, driver 580.95.05"

    // Makes runs write width × height RGBA pixels of 8 bits, red lowest, into this OpenGL buffer, whose
    // context is current on the calling thread; 0: nowhere. Error: OpenGL is on another device; results then
    // have to be fetched.
    Result<void> use_gl_buffer(unsigned gl_buffer);
    // Called around run(), on the thread of the OpenGL context: OpenGL must not use the buffer in between.
    Result<void> begin();
    Result<void> end();

    struct Times {
        double kernels_ms = 0;    // between events around the file's launches, of all channels and masks
        double on_device_ms = 0;  // with splitting and merging
    };
    // Called on any thread, one run at a time. A kernel that faults on the CPU machine, on a small part of
    // the image, is not run. Errors: compiler errors; too little memory; "cancelled"; a launch that the
    // device cannot take; a fault, or no end within the request's seconds, after which this object is
    // unusable.
    Result<Times> run(const Run& run, const std::atomic<bool>* cancel);
    // Copies the last run's result to the host.
    Result<void> fetch(Run& into) const;
    bool lost() const;  // by a fault: CUDA ended for the program, or a kernel runs on

  private:
    struct State;
    explicit GpuFilter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::preview
