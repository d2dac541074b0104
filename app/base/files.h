// Files and the folders that the program uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lanescope {

// Reads a regular file whole. Errors: missing, a directory, not readable, larger than max_bytes.
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t max_bytes = 1ull << 30);

// Reads a file that must be text: read_file's errors, and a NUL byte or invalid UTF-8 (with its line).
Result<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes = 16ull << 20);

// Writes beside the target, then renames, so that a reader never sees half a file.
Result<void> write_file(const std::filesystem::path& path, std::string_view bytes);

// Where kernels/, shaders/ and assets/ are: $LANESCOPE_HOME, else the folder above the executable that
// holds kernels/, else the source folder known at build time.
std::filesystem::path resource_folder();

// Per-user folder for results that can be made again: $LANESCOPE_CACHE, $XDG_CACHE_HOME/lanescope or
// ~/.cache/lanescope. Created when missing.
Result<std::filesystem::path> cache_folder();

// Per-user folder for state that a person set: $XDG_CONFIG_HOME/lanescope or ~/.config/lanescope.
Result<std::filesystem::path> config_folder();

// Per-user folder for what the program keeps of its state: $XDG_STATE_HOME/lanescope or
// ~/.local/state/lanescope.
Result<std::filesystem::path> state_folder();

std::filesystem::path executable_path();

// The ending of a file's name with its dot, in small letters: ".png". Empty when there is none.
std::string lower_extension(const std::filesystem::path& file);

// 128-bit content hash (FNV-1a, two lanes) as 32 hexadecimal digits; not for security.
std::string content_hash(std::string_view bytes);

}  // namespace lanescope
