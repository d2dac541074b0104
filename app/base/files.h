// Reads and writes files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lanescope {

// Reads a whole regular file. Errors: the file is missing, is a directory, is not readable or is larger than
// max_bytes.
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t max_bytes = 1ull << 30);

// Reads a text file. Errors: read_file's; a NUL byte or invalid UTF-8 (with its line).
Result<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes = 16ull << 20);

// Writes beside the target, then renames, so that a reader never sees half a file.
Result<void> write_file(const std::filesystem::path& path, std::string_view bytes);

// Returns a 128-bit content hash (FNV-1a, two lanes) as 32 hexadecimal digits; not for security.
std::string content_hash(std::string_view bytes);

}  // namespace lanescope
