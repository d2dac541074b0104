// Collects what the runs of a submission say about one goal.
#pragma once

#include <optional>
#include <string>

#include "judge/reasons.h"
#include "judge/verdict.h"

namespace lanescope::judge {

class Tally {
  public:
    explicit Tally(const lesson::Goal& goal) : goal_(goal) {}

    // Errors: a bound does not evaluate. `file` has the goal.
    Result<void> add(const execution::RunResult& run, const RunPlace& place, const std::string& file);

    bool ok() const { return runs_ > 0 && why_.empty(); }
    GoalVerdict verdict() const;
    const lesson::Goal& goal() const { return goal_; }

  private:
    void add_result(const execution::RunResult& run, const RunPlace& place);
    void add_problems(const execution::RunResult& run, const RunPlace& place);
    void add_feature(const execution::RunResult& run, const RunPlace& place);
    Result<void> add_count(const execution::RunResult& run, const RunPlace& place, const std::string& file);
    std::string find_worst_line(const execution::RunResult& run, const RunPlace& place);
    bool counts(const RunPlace& place) const;
    std::string wanted() const;

    const lesson::Goal& goal_;
    int runs_ = 0;
    std::string got_, why_;        // why_: of the first run that fails
    GoalPlace place_;              // of the same run
    std::optional<double> worst_;  // of the runs whose count may be told
    std::optional<double> bound_;  // of the given input
    std::uint32_t line_ = 0;       // with the greatest part in worst_
};

}  // namespace lanescope::judge
