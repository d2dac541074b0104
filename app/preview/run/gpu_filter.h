// Filters an image with a kernel on a GPU: the image goes there once, and the result need not come back to be
// seen. The kernel file's optimised machine code runs untouched; assets/preview/planes.cu splits the image
// into the planes that it takes and merges its results.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "gpu/clean/device.h"
#include "preview/run/run.h"

namespace lanescope::preview {

class GpuFilter {
  public:
    // The device outlives the filter. Fault and endless kernel cost what is on the device alone where another
    // process has it (gpu/served/served_device.h). `most_seconds`: of a run.
    GpuFilter(gpu::Device& device, double most_seconds);
    ~GpuFilter();
    GpuFilter(const GpuFilter&) = delete;
    GpuFilter& operator=(const GpuFilter&) = delete;

    // Runs from now on also make height × width RGBA pixels of 8 bits, red lowest, where OpenGL can open
    // them.
    void show_picture();
    // The device's GPU draws the windows, which a bad address can break: before a kernel runs on a new image,
    // or with a mask of a new size, the CPU machine tries it on a part of the image.
    void try_kernels_first();

    struct Times {
        double kernels_ms = 0;    // between events around the file's launches, of all channels and masks
        double on_device_ms = 0;  // with splitting and merging
    };
    // Called on any thread, one run at a time. Opens the device where it is not open. Errors: those of
    // Device::open; compiler errors; too little memory; "cancelled"; a launch that the device cannot take; no
    // end within the time; a fault, at its line where the CPU machine finds it on a small part of the image;
    // such a fault that a trial found.
    Result<Times> run(const Run& run, const std::atomic<bool>* cancel);
    // Copies the last run's result to the host.
    Result<void> fetch(Run& into);
    bool closed() const;  // the last run could not open the device

    // The picture of the last run; null: there is none, and why_no_picture() says why. Another object is
    // other memory.
    std::shared_ptr<const gpu::ExportedMemory> picture() const;
    const std::string& why_no_picture() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::preview
