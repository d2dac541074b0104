// A GPU as the preview uses it: it runs filters, and may keep the picture where the window draws it.
#pragma once

#include <atomic>
#include <string>

#include "preview/run/gpu_filter.h"

namespace lanescope::preview {

class FilterDevice {
  public:
    virtual ~FilterDevice() = default;

    virtual std::string name() const = 0;  // empty before the first run

    // begin() and end() are called around run(), on the thread that updates the preview. Error: the place of
    // the GPU makes no sense.
    virtual Result<void> begin() = 0;
    // `show`: the run gave a picture. Error: the driver's.
    virtual Result<void> end(bool show) = 0;

    // These are called on any thread, one at a time: see GpuFilter.
    virtual Result<GpuFilter::Times> run(const Run& run, const std::atomic<bool>* cancel) = 0;
    virtual Result<void> fetch(Run& into) = 0;  // of the run that ended last
    virtual bool closed() const = 0;            // the last run could not open the device
};

}  // namespace lanescope::preview
