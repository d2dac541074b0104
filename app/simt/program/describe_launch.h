// The description of a launch in a trace.
#pragma once

#include "simt/program/program.h"

namespace lanescope::simt {

// With the shared arrays where this machine has them.
trace::Launch describe_launch(const Program& program, const Kernel& kernel, const LaunchRequest& request);

}  // namespace lanescope::simt
