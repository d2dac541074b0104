// Reads --schedule: a schedule, or the name of one of the lesson's schedules.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "simt/launch/schedule.h"

namespace lanescope::session {

// `kernels_folder`: of the course, read only if `text` is not a schedule. Error: `text` is neither; the hint
// lists what is accepted.
Result<simt::Schedule> find_schedule(const std::string& text, const std::filesystem::path& file,
                                     const std::filesystem::path& kernels_folder);

}  // namespace lanescope::session
