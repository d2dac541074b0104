// Runs a random program with Lanescope and compares it with the host.
#pragma once

#include <string>

#include "gpu/traced/trace_device.h"
#include "program.h"

namespace lanescope::programs {

struct Verdict {
    std::string kind;  // empty: as on the host
    std::string text;
    bool too_long = false;  // the host did not run it to its end; nothing was compared
};

// Runs debug and optimised code under several schedules, with and without a trace. Results and the number of
// barriers must be those of the host, no problem may be found, and metrics must be consistent.
// `device` also runs instrumented debug and optimised code; null: only the CPU machine runs.
Verdict check(const Program& program, gpu::TraceDevice* device);

// Removes parts as long as the verdict's kind stays the same.
Program reduce(Program program, const Verdict& verdict, gpu::TraceDevice* device);

}  // namespace lanescope::programs
