#pragma once

#include <filesystem>

#include "base/result.h"

namespace lanescope {

// Per-user folder for what a person wrote, such as notes: $LANESCOPE_DATA, $XDG_DATA_HOME/lanescope or
// ~/.local/share/lanescope. Created when missing.
Result<std::filesystem::path> data_folder();

}  // namespace lanescope
