// Runs on a GPU one at a time, because CUDA cannot stop a kernel. The picture is there when the kernels have
// ended; the facts follow when the result has been copied to the host.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/jobs.h"
#include "preview/model/filter_device.h"

namespace lanescope::preview {

class DeviceRuns {
  public:
    // Called by update().
    struct Listener {
        std::function<void(const GpuFilter::Times&)> shown;          // the device has the picture
        std::function<void(const std::shared_ptr<Run>&)> fetched;    // and then the host has the result
        std::function<void(const Diagnostics&)> failed;              // a mistake in the kernel file
        std::function<void(const Diagnostics&)> device_is_unusable;  // at present
    };
    // The device outlives this object.
    DeviceRuns(FilterDevice& device, Listener listener);

    // Starts after the current run, if there is one; of several waiting requests only the newest starts.
    void start(const Request& request);
    void drop();  // ignores the result of the current run, and drops the waiting request
    bool busy() const { return busy_; }

    bool update() { return jobs_.poll(); }
    void wait();  // until no run is left

  private:
    void run(const Request& request);
    void end_run(const std::shared_ptr<Run>& run, const Result<GpuFilter::Times>& times);
    void fetch(const std::shared_ptr<Run>& run);
    void end_fetch(const std::shared_ptr<Run>& run, const Result<void>& fetched);
    bool replaced();  // by a request that waited, or dropped

    FilterDevice& device_;
    Listener listener_;
    std::optional<Request> next_;
    bool busy_ = false, dropped_ = false;

    Jobs jobs_;  // last, so that a running job ends before the members that its completion changes
};

}  // namespace lanescope::preview
