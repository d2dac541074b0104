// Tries all schedules of the open file, in a job.
#pragma once

#include <memory>

#include "base/jobs.h"
#include "execution/run/explore.h"

namespace lanescope::session {

class Explorer {
  public:
    explicit Explorer(Jobs& jobs) : jobs_(jobs) {}

    void start(execution::RunRequest request);
    void cancel() { jobs_.cancel(tag); }
    // Drops what was found out about the schedules, because the program has changed.
    void forget() { cancel(), found_.reset(), diagnostics_.clear(); }
    void set(execution::Exploration exploration) {
        found_ = std::make_unique<execution::Exploration>(std::move(exploration));
    }

    const execution::Exploration* found() const { return found_.get(); }  // null: not asked for, or dropped
    const Diagnostics& diagnostics() const { return diagnostics_; }       // why it failed
    bool busy() const { return jobs_.busy(tag); }
    float progress() const { return jobs_.share(tag); }  // 0 … 1 while busy
    void wait() { jobs_.wait(tag); }

  private:
    static constexpr const char* tag = "explore";

    Jobs& jobs_;
    std::unique_ptr<execution::Exploration> found_;
    Diagnostics diagnostics_;
};

}  // namespace lanescope::session
