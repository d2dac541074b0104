// What --schedule is given: a schedule, or the name of one of the lesson's.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "simt/launch/schedule.h"

namespace lanescope::session {

// `kernels_folder`: of the course, read only where `text` is no schedule. Errors: neither; what there is, is
// named.
Result<simt::Schedule> find_schedule(const std::string& text, const std::filesystem::path& file,
                                     const std::filesystem::path& kernels_folder);

}  // namespace lanescope::session
