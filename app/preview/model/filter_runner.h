// Runs the newest request, on the CPU machine or on a GPU. The last finished run and its facts stay until the
// next run has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/jobs.h"
#include "preview/model/device_runs.h"
#include "preview/model/live_result.h"
#include "preview/model/run_facts.h"

namespace lanescope::preview {

class FilterRunner {
  public:
    // update() calls `ended` when run() has changed. The device outlives this object.
    FilterRunner(FilterDevice& device, std::function<void()> ended);

    void set_image(const image::Image& image);  // it is shown in place of the result until a run gives one
    // `visible`: what is computed first.
    void start(const Request& request, std::optional<Box> visible);
    void cancel();
    // Holds from the next start() on. The CPU machine takes over at once from a device that is unusable.
    void use_device(bool wanted) { on_device_ = wanted; }
    bool on_device() const { return on_device_; }

    bool update();  // true when something changed
    void wait();
    bool busy() const { return device_runs_.busy() || jobs_.busy("filter"); }
    float progress() const { return jobs_.share("filter"); }

    const std::shared_ptr<const Run>& run() const { return run_; }  // null at first
    const RunFacts* facts() const { return facts_ ? &*facts_ : nullptr; }
    const Diagnostics& diagnostics() const { return diagnostics_; }  // of the newest attempt, by the kernel
    std::optional<std::string> take_problem();                       // of the newest attempt, of any kind
    // Times of the last run if it was on the device; otherwise null.
    const GpuFilter::Times* device_times() const { return device_times_ ? &*device_times_ : nullptr; }
    const LiveResult& result() const { return result_; }
    std::uint64_t generation() const { return generation_; }  // changes with the result

  private:
    void start_on_cpu();
    Jobs::Completion filter(const Request& request, std::uint64_t number, std::optional<Box> visible,
                            JobContext& context);
    Jobs::Completion find_facts(const std::shared_ptr<const Run>& run, JobContext& context);
    void take_fetched(const std::shared_ptr<Run>& run);
    void leave_device(const Diagnostics& why);
    void fail(const Diagnostics& why);

    std::function<void()> ended_;
    Request request_;
    std::optional<Box> visible_;
    LiveResult result_;
    std::shared_ptr<const Run> run_;
    std::optional<RunFacts> facts_;
    Diagnostics diagnostics_;
    std::optional<std::string> problem_;
    std::optional<GpuFilter::Times> device_times_;
    bool on_device_ = false;
    std::uint64_t generation_ = 1;
    DeviceRuns device_runs_;

    Jobs jobs_{
        2};  // two, as a cancelled job still has to end; last, so that jobs end before the other members
};

}  // namespace lanescope::preview
