// The entries of a folder in one order on every machine: file systems list them in any order.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"

namespace lanescope {

// Returns the paths of what the folder holds, in the order of their names. Error: the folder cannot be read.
Result<std::vector<std::filesystem::path>> sorted_entries(const std::filesystem::path& folder);

}  // namespace lanescope
