// A run as text and as JSON: what `lanescope run` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "execution/run/run.h"
#include "session/report/flow_report.h"

namespace lanescope::session {

// app/REPORT.md defines the keys. Ends with a newline. `per_instruction` adds the counts of every PTX
// instruction, `flow` (may be null) what a buffer was made of, `more` (may be null) has further keys.
std::string report_json(const execution::RunResult& result, bool per_instruction = false,
                        const FlowReport* flow = nullptr, const nlohmann::ordered_json* more = nullptr);

// The same for people: launches, metrics, buffers, the flow, expectations, problems.
std::string report_text(const execution::RunResult& result, const FlowReport* flow = nullptr);

// One line per step of block 0: number, line, phase, lanes and the source text.
std::string step_listing(const execution::RunResult& result);

// The same blocks and steps as JSON.
nlohmann::ordered_json steps_json(const execution::RunResult& result);

}  // namespace lanescope::session
