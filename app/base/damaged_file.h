// Files of the program that it cannot read any more, because they are damaged.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace lanescope {

// Copies the file beside itself before it is replaced, under the first name that is free: NAME.damaged1.json.
// Returns the copy's name. Error: the file cannot be copied.
Result<std::string> keep_damaged(const std::filesystem::path& path);

}  // namespace lanescope
