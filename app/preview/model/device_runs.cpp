#include "preview/model/device_runs.h"

#include <utility>

namespace lanescope::preview {

DeviceRuns::DeviceRuns(FilterDevice& device, Listener listener)
    : device_(device), listener_(std::move(listener)) {}

DeviceRuns::~DeviceRuns() {
    if (cancel_) *cancel_ = true;
}

bool DeviceRuns::update() {
    constexpr std::chrono::seconds patience{1};
    const bool unwanted = dropped_ || next_;
    if (unwanted && cancel_ && std::chrono::steady_clock::now() - begun_ > patience) *cancel_ = true;
    return jobs_.poll();
}

void DeviceRuns::start(const Request& request) {
    dropped_ = false;
    if (busy_)
        next_ = request;
    else
        run(request);
}

void DeviceRuns::drop() {
    next_.reset();
    dropped_ = busy_;
}

void DeviceRuns::run(const Request& request) {
    const Result<void> begun = device_.begin();
    if (!begun) return listener_.device_is_unusable(begun.diagnostics());
    busy_ = true;
    begun_ = std::chrono::steady_clock::now();
    cancel_ = std::make_shared<std::atomic<bool>>(false);
    jobs_.start("device", [this, request, cancel = cancel_](JobContext&) -> Jobs::Completion {
        using Times = GpuFilter::Times;
        Result<std::unique_ptr<Run>> made = Run::make(request);
        const std::shared_ptr<Run> run = made ? std::move(*made) : nullptr;
        auto times = std::make_shared<Result<Times>>(run ? device_.run(*run, cancel.get())
                                                         : Result<Times>(made.diagnostics()));
        return [this, run, times] { end_run(run, *times); };
    });
}

bool DeviceRuns::replaced() {
    if (const std::optional<Request> request = std::exchange(next_, std::nullopt)) {
        run(*request);
        return true;
    }
    return std::exchange(dropped_, false);
}

void DeviceRuns::end_run(const std::shared_ptr<Run>& run, const Result<GpuFilter::Times>& times) {
    busy_ = false;
    cancel_.reset();
    const bool closed = device_.closed();
    const Result<void> ended = device_.end(times && !dropped_);
    if (!times && closed) {
        next_.reset();
        dropped_ = false;
        return listener_.device_is_unusable(times.diagnostics());
    }
    if (replaced()) return;
    if (!times) return listener_.failed(times.diagnostics());
    if (!ended) return listener_.device_is_unusable(ended.diagnostics());
    listener_.shown(*times);
    fetch(run);
}

// The next run uses the same memory of the device, so it waits.
void DeviceRuns::fetch(const std::shared_ptr<Run>& run) {
    busy_ = true;
    jobs_.start("device", [this, run](JobContext&) -> Jobs::Completion {
        auto fetched = std::make_shared<Result<void>>(device_.fetch(*run));
        return [this, run, fetched] { end_fetch(run, *fetched); };
    });
}

void DeviceRuns::end_fetch(const std::shared_ptr<Run>& run, const Result<void>& fetched) {
    busy_ = false;
    if (replaced()) return;
    if (!fetched) return listener_.device_is_unusable(fetched.diagnostics());
    listener_.fetched(run);
}

void DeviceRuns::wait() {
    while (busy_) {
        jobs_.wait("device");
        (void)update();
    }
}

}  // namespace lanescope::preview
