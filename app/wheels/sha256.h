#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace lanescope::wheels {

// SHA-256 (FIPS 180-4) of a file's bytes, as 64 hexadecimal digits in lower case. Error: it cannot be read.
Result<std::string> sha256_of(const std::filesystem::path& file);

}  // namespace lanescope::wheels
