// The clock of the open file: after each run, an estimate of how long it would take on a GPU; what would
// change it; all in jobs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/jobs.h"
#include "session/clock/clock.h"

namespace lanescope::session {

class FileClock {
  public:
    explicit FileClock(Jobs& jobs) : jobs_(jobs) {}

    // From now on every run is estimated, the newest one first. Nothing is estimated that no view shows.
    void want();
    // A run of this request is shown now. `recorded` has registers of kernels; it may be null.
    void follow(const execution::RunRequest& request, std::shared_ptr<const Timings> recorded);
    // The same for a trace that no request made: its code must be optimised.
    void follow(std::shared_ptr<const execution::RunResult> opened, std::shared_ptr<const Timings> recorded);
    void drop();  // no run is shown

    bool wanted() const { return wanted_; }
    bool busy() const { return jobs_.busy(tag); }
    bool working() const { return busy() || jobs_.busy(suppose_tag) || sweeping(); }  // anything
    // That of the run that is shown; null: no view wants it, it is being made, or problem() says why.
    std::shared_ptr<const ClockReading> reading() const { return reading_; }
    // That of an older run while the one of the run that is shown is being made.
    std::shared_ptr<const ClockReading> latest() const { return reading_ ? reading_ : earlier_; }
    const std::string& problem() const { return problem_; }
    // What the assembler makes of the run that is shown; null: as reading().
    std::shared_ptr<const Resources> resources() const { return resources_; }
    const std::shared_ptr<const analysis::DeviceModel>& device() const {
        return device_;
    }  // null: see problem()

    // What the same run would take otherwise. Nothing is supposed of a new file.
    void suppose(const WhatIf& supposed);
    const WhatIf& supposed() const { return what_if_; }
    // Null: nothing is supposed, or it is being made.
    std::shared_ptr<const ClockReading> otherwise() const { return otherwise_; }

    struct SweepPoint {
        std::int64_t value = 0;
        double microseconds = 0;
        std::string refused;  // why there is no estimate; empty: there is one
    };
    struct Sweep {
        std::string parameter;
        std::vector<SweepPoint> points;  // ascending values
    };
    // Estimates the file with other values of one parameter. The result is void after the next run.
    void sweep(const std::string& parameter);
    void cancel_sweep() { jobs_.cancel(sweep_tag); }
    const Sweep& swept() const { return sweep_; }  // the newest that has ended
    bool sweeping() const { return jobs_.busy(sweep_tag); }
    float sweep_progress() const { return jobs_.share(sweep_tag); }

    void wait() { jobs_.wait(tag), jobs_.wait(suppose_tag), jobs_.wait(sweep_tag); }

    // Intervals of warps that a reading keeps for the timeline.
    static constexpr std::size_t most_intervals = 1'000'000;

  private:
    static constexpr const char *tag = "clock", *suppose_tag = "clock, otherwise",
                                *sweep_tag = "clock, other values";

    void forget();
    void start();
    void start_supposed();

    Jobs& jobs_;
    bool wanted_ = false;
    std::shared_ptr<const analysis::DeviceModel> device_;
    execution::RunRequest request_;
    std::shared_ptr<const execution::RunResult> opened_;  // instead of a request
    std::shared_ptr<const Timings> recorded_;
    bool outdated_ = false;  // what is shown has no estimate yet, and none is being made
    std::shared_ptr<const Clock> clock_;
    std::shared_ptr<const ClockReading> reading_, earlier_, otherwise_;
    std::shared_ptr<const Resources> resources_;
    std::string problem_;
    WhatIf what_if_;
    Sweep sweep_;
};

// The values that a sweep takes for a parameter: its choices, else powers of two between its bounds, those of
// a size four times as large each; at most 12, in which the value now is one. Empty: there is nothing to
// sweep.
std::vector<std::int64_t> swept_values(const lesson::Parameter& parameter, std::int64_t now);

}  // namespace lanescope::session
