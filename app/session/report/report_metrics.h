// Metrics as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "execution/run/run.h"

namespace lanescope::session {

nlohmann::ordered_json json_of_metrics(const analysis::Metrics& metrics);
nlohmann::ordered_json json_of_lines(const analysis::Report& report);
nlohmann::ordered_json json_of_arrays(const std::vector<analysis::ArrayMetrics>& arrays);
// Every PTX instruction that ran, with the counts that are not zero.
nlohmann::ordered_json json_of_instructions(const trace::Trace& trace, const analysis::Code& code);

// How far the results of the instructions that ran may be trusted. Without a trace: of all in the code.
nlohmann::ordered_json json_of_fidelity(const execution::RunResult& result);
// A line for each instruction that is not exact.
std::string text_of_fidelity(const execution::RunResult& result);

std::string percent(double share);  // "71.2 %"
std::string text_of_metrics(const analysis::Metrics& metrics);

}  // namespace lanescope::session
