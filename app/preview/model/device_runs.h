// Runs on a GPU, one at a time: CUDA cannot stop a kernel. The picture is there when the kernels have ended;
// what else there is to say follows when the result was copied to the host.
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
        std::function<void(const Diagnostics&)> device_is_unusable;  // as it is now
    };
    // The device outlives this object.
    DeviceRuns(FilterDevice& device, Listener listener);

    // After the one under way, if there is one; of several that wait the newest alone.
    void start(const Request& request);
    void drop();  // what comes of the one under way, and of those that wait, is not wanted any more
    bool busy() const { return busy_; }

    bool update() { return jobs_.poll(); }
    void wait();  // until nothing is under way

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

    Jobs jobs_;  // last: a running job ends before what its completion changes
};

}  // namespace lanescope::preview
