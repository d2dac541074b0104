// Where the time of a run went: the lines of its source, from samples of an untouched run on a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/sampled/sampler.h"

namespace lanescope::session {

struct LineTime {
    int line = 0;      // from 1; 0: instructions without a line
    std::string file;  // another file that the source includes; empty: the source itself
    double share = 0;  // of the warps' time in all kernels of the run, 0 … 1
    std::map<std::string, double>
        stalls;  // by gpu::StallReason::name, of all samples; they add up to `share`
};

struct LineTimes {
    std::uint64_t samples = 0, dropped = 0;
    std::uint64_t period_cycles = 0;        // between two samples of a multiprocessor
    std::vector<LineTime> lines;            // the largest share first
    std::map<std::string, double> kernels;  // the share of each kernel: "reduce<int>"

    const LineTime* at(int line) const;            // of the source itself; null: no sample
    std::map<std::string, double> stalls() const;  // of the whole run
};

// `file`: the name under which the source was compiled.
LineTimes line_times(const gpu::Samples& samples, const std::string& file);

nlohmann::ordered_json to_json(const LineTimes& times);
// Errors name what is missing or has another type.
Result<LineTimes> line_times_of(const nlohmann::json& json, const std::string& where);

// Returns a table of the lines with at least one percent, with their text and the two reasons that cost most.
std::string table_of(const LineTimes& times, const std::string& source);

}  // namespace lanescope::session
