// Parts that the reports of one run and of all schedules share.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "execution/run/run.h"
#include "execution/run/step_numbers.h"

namespace lanescope::session {

nlohmann::ordered_json json_of(const trace::Problem& problem, execution::StepNumbers& steps);
nlohmann::ordered_json json_of(const execution::BufferView& buffer);  // type, count, the first 64 values
std::string text_of(const trace::Problem& problem);                   // a line

}  // namespace lanescope::session
