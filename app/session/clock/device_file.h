// Reads assets/devices/NAME.toml.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/cycles/device_model.h"
#include "base/result.h"

namespace lanescope::session {

// Every figure of the model must be there once, in any table; each is a number of at least 0. Errors are
// located.
Result<analysis::DeviceModel> parse_device(const std::string& text, const std::string& file);
// The device that ships: assets/devices/h200.toml.
Result<analysis::DeviceModel> shipped_device();

}  // namespace lanescope::session
