// The description of a launch in a trace.
#pragma once

#include "simt/program/program.h"

namespace lanescope::simt {

// Blocks of a cluster: as requested, as the kernel requires, or one.
trace::Dim3 cluster_of(const Kernel& kernel, const LaunchRequest& request);

// With the shared arrays where this machine has them.
trace::Launch describe_launch(const Program& program, const Kernel& kernel, const LaunchRequest& request);

}  // namespace lanescope::simt
