// A run as text and as JSON: what `lanescope run` prints.
#pragma once

#include <string>

#include "session/run/run.h"

namespace lanescope::session {

// app/COMMANDS.md defines the keys. Ends with a newline. `per_instruction` adds the counts of every PTX
// instruction.
std::string report_json(const RunResult& result, bool per_instruction = false);

// The same for people: launches, metrics, buffers, expectations, problems.
std::string report_text(const RunResult& result);

// One line per step of block 0: number, line, phase, lanes and the source text.
std::string step_listing(const RunResult& result);

}  // namespace lanescope::session
