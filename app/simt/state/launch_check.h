// Checks whether hardware would accept a launch.
#pragma once

#include <string>

#include "simt/launch/launch.h"
#include "simt/memory/memory.h"
#include "simt/program/program.h"

namespace lanescope::simt {

constexpr std::uint64_t max_local_bytes = window::local_bytes;  // a thread's stack; hardware allows 512 KiB

// Returns the mistake as a sentence; empty if there is none.
std::string launch_error(const Program& program, const Kernel& kernel, const LaunchRequest& request);

// The same without the arguments and without what a cooperative launch needs.
std::string shape_error(const Program& program, const Kernel& kernel, const LaunchRequest& request);

}  // namespace lanescope::simt
