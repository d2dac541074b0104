// Times of the open file on this machine's GPU: after each good run, in a job, of the text that ran.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/jobs.h"
#include "execution/run/run.h"
#include "session/timing/time_files.h"
#include "session/timing/timings.h"

namespace lanescope::session {

// The GPU of this machine; tests replace it.
struct GpuTimer {
    using Time = std::function<Result<TimingReport>(const TimeRequest&, const std::atomic<bool>* cancel)>;
    std::function<Result<std::string>()> possible = timing_possible;
    Time time = [](const TimeRequest& request, const std::atomic<bool>* cancel) {
        return time_files(request, {}, cancel);
    };
};

// Whether both have the same times: neither schedules nor kinds of code change optimised code.
bool same_work(const execution::RunRequest& a, const execution::RunRequest& b);

// Why the untouched kernels of this run should not run on a GPU, where they might fault or never end; empty:
// they may.
std::string why_not_timed(const execution::RunResult& run);

class FileTimes {
  public:
    FileTimes(Jobs& jobs, GpuTimer::Time time) : jobs_(jobs), time_(std::move(time)) {}

    void turn_on(bool on);  // off at first
    bool on() const { return on_; }
    // A run of this request is shown now. `why_not`: that of why_not_timed().
    void follow(const execution::RunRequest& request, std::string why_not);
    void drop();  // no run is shown that can be timed
    // Begins to time a run that has been shown for a moment. `gpu`: there is one.
    void update(double now_s, bool gpu);

    bool busy() const { return since_s_.has_value() || jobs_.busy(tag); }
    // One record, of the run that is shown; null: busy(), or problem() says why.
    const std::shared_ptr<const Timings>& measured() const { return measured_; }
    // Those of the file's newest run that has one, while that of the run that is shown is being measured.
    const std::shared_ptr<const Timings>& latest() const { return measured_ ? measured_ : earlier_; }
    const std::string& problem() const { return problem_; }

    static constexpr double settled_s = 0.5;  // nothing is timed while a person types

  private:
    static constexpr const char* tag = "time";

    void forget();
    void start();

    Jobs& jobs_;
    GpuTimer::Time time_;
    bool on_ = false;
    execution::RunRequest request_;
    bool due_ = false;               // what is shown is not timed yet
    std::optional<double> since_s_;  // when it was seen first; only with a GPU
    std::shared_ptr<const Timings> measured_, earlier_;
    std::string problem_;
};

}  // namespace lanescope::session
