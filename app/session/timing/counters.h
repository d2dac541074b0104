// What the CPU machine counts beside what a GPU's profiler measures, launch by launch, for the same optimised
// code and inputs.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/run/run.h"
#include "gpu/counted/range_counter.h"

namespace lanescope::session {

struct CounterRow {
    std::string name;  // of the metric, app/REPORT.md; or of a figure that is only measured
    std::optional<double> counted;
    double measured = 0;
    std::string remark;    // why the two differ; empty: they agree, or nothing was counted
    bool flagged = false;  // they differ, and nothing known explains it
};

struct LaunchCounters {
    std::string kernel;
    std::vector<CounterRow> rows;
};

struct CounterComparison {
    std::size_t passes = 0;     // how often the profiler ran each launch
    std::string counted_error;  // why nothing was counted; empty: it was
    std::vector<LaunchCounters> launches;
};

// The most launches of a file whose counters are read: each needs memory in the profiler.
inline constexpr std::size_t most_counted_launches = 256;

// NVIDIA's names of all counters that are read.
std::vector<std::string> counter_names();

// `measured`: of each launch, with the names of `kernels`.
CounterComparison measured_counters(const std::vector<gpu::CounterValues>& measured,
                                    const std::vector<std::string>& kernels, std::size_t passes);
// Adds the counts of the CPU machine's run of the same file and parameters. `counts`: the run's metrics of
// each launch; `prints`: the run printed something.
void add_counts(CounterComparison& comparison, const std::vector<analysis::Metrics>& counts, bool prints);

nlohmann::ordered_json to_json(const CounterComparison& comparison);
// Errors name what is missing or has another type.
Result<CounterComparison> counter_comparison_of(const nlohmann::json& json, const std::string& where);

// A table of each of the first launches.
std::string table_of(const CounterComparison& comparison);

}  // namespace lanescope::session
