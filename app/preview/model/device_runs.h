// Runs on a GPU one at a time. A kernel stops only with the process that has the device, so a run that is not
// wanted any more gets a second to end by itself. The picture is there when the kernels have ended; the facts
// follow when the result has been copied to the host.
#pragma once

#include <atomic>
#include <chrono>
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
        std::function<void(const Diagnostics&)> failed;              // by the kernel file, or out of memory
        std::function<void(const Diagnostics&)> device_is_unusable;  // at present
    };
    // The device outlives this object.
    DeviceRuns(FilterDevice& device, Listener listener);
    ~DeviceRuns();
    DeviceRuns(const DeviceRuns&) = delete;
    DeviceRuns& operator=(const DeviceRuns&) = delete;

    // Starts after the current run, if there is one; of several waiting requests only the newest starts.
    void start(const Request& request);
    void drop();  // ignores the result of the current run, and drops the waiting request
    bool busy() const { return busy_; }

    bool update();
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
    std::chrono::steady_clock::time_point begun_;
    std::shared_ptr<std::atomic<bool>> cancel_;  // of the current run; null: it is being fetched

    Jobs jobs_;  // last, so that a running job ends before the members that its completion changes
};

}  // namespace lanescope::preview
