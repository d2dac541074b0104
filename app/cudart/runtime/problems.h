// Problems of kernels, for the journal and for standard error.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "trace/trace.h"

namespace lanescope::cudart {

// `kernel`: the name of a grid that the launched kernel launched; else empty. `file`: that of the lines.
nlohmann::ordered_json json_of(const trace::Problem& problem, const std::string& kernel,
                               const std::string& file);

// An assertion that failed, as CUDA prints it; the machine's message is parsed. Empty: it was something else.
std::string assertion_text(const trace::Problem& problem, const std::string& file, const trace::Dim3& grid,
                           const trace::Dim3& block);

}  // namespace lanescope::cudart
