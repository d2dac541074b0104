// Problems as SARIF 2.1.0 (OASIS): what editors and CI services show at the lines of a file.
#pragma once

#include <string>

#include "base/result.h"
#include "execution/run/run.h"

namespace lanescope::session {

// Reports the problems of a run and its failed expectations. `version`: the program's.
std::string report_sarif(const execution::RunResult& result, const std::string& version);
// Reports why a file could not be run.
std::string report_sarif(const Diagnostics& diagnostics, const std::string& version);

}  // namespace lanescope::session
