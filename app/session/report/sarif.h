// Problems as SARIF 2.1.0 (OASIS): what editors and CI services show at the lines of a file.
#pragma once

#include <string>

#include "base/result.h"
#include "session/run/run.h"

namespace lanescope::session {

// Of a run: its problems and what its expectations found wrong. `version`: the program's.
std::string report_sarif(const RunResult& result, const std::string& version);
// Of a file that could not be run.
std::string report_sarif(const Diagnostics& diagnostics, const std::string& version);

}  // namespace lanescope::session
