// `lanescope time --roofline`: operations for each byte beside the ceilings of a GPU.
#pragma once

#include "base/result.h"
#include "commands/time_command.h"
#include "session/timing/time_files.h"

namespace lanescope {

// `request`: the same options without files. Returns the exit code.
int roofline_command(const TimeOptions& options, const session::TimeRequest& request);

}  // namespace lanescope
