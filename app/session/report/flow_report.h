// What each element of a buffer was made of, as JSON and as text; `lanescope run --flow`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/flow/provenance.h"
#include "execution/run/run.h"

namespace lanescope::session {

struct FlowReport {
    std::string buffer;
    std::uint32_t symbol = 0;  // into the symbols of the trace
    std::vector<analysis::Origin> elements;
    std::uint64_t left_out = 0;  // elements behind those
    analysis::BufferWork work;
    std::string incomplete;  // in words; empty: all values of the run were followed
};

// Errors: there is no trace, or no such buffer in global memory.
Result<FlowReport> flow_of(const execution::RunResult& result, const std::string& buffer);

nlohmann::ordered_json elements_json(const FlowReport& flow, const execution::RunResult& result);
nlohmann::ordered_json summary_json(const FlowReport& flow);
std::string flow_text(const FlowReport& flow, const execution::RunResult& result);

}  // namespace lanescope::session
