// Reads --schedule: a schedule, or the name of one of the lesson's schedules.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "simt/launch/schedule.h"

namespace lanescope::execution {

// Reads the lessons only if `text` is not a schedule; empty: that with which the lesson opens, else round
// robin. Error: it is neither; the names that the lesson has are
// listed.
Result<simt::Schedule> find_schedule(const std::string& text, const std::filesystem::path& file);

}  // namespace lanescope::execution
