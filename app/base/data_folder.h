#pragma once

#include <filesystem>

#include "base/result.h"

namespace lanescope {

// Returns the per-user folder for what the user wrote, such as notes: $LANESCOPE_DATA,
// $XDG_DATA_HOME/lanescope or ~/.local/share/lanescope. Creates it if it is missing.
Result<std::filesystem::path> data_folder();

}  // namespace lanescope
