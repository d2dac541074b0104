// Unpacks a zip archive that came from elsewhere: nothing of it lands outside the folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"

namespace lanescope::wheels {

struct UnzipLimits {
    std::uint64_t max_files = 20'000;
    std::uint64_t max_bytes = 2ull << 30;  // unpacked, all files together
};

struct UnzipRequest {
    std::filesystem::path archive, folder;  // the folder is made
    UnzipLimits limits = {};
    std::function<bool(const std::string& name)> wanted = {};  // which files are unpacked; empty: all
    std::function<void(std::uint64_t)> progress = {};  // with the bytes that were unpacked; may be empty
};

// Errors: not a zip archive; damaged (CRC-32); encrypted; a name that is absolute, leads upwards, holds a
// backslash or a NUL byte, or comes twice; a symbolic link; more files or bytes than the limits allow; a file
// cannot be written; cancelled.
Result<void> unzip(const UnzipRequest& request, const std::atomic<bool>& cancel);

// Whether a name in an archive is a plain relative path.
bool is_safe_name(const std::string& name);

}  // namespace lanescope::wheels
