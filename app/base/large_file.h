// Reads files of gigabytes in one go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace lanescope {

// A file's bytes in memory of their own. The `slack_bytes` zeros that follow them may be read as well.
struct FileBytes {
    std::shared_ptr<const std::byte> bytes;
    std::size_t size = 0;
    std::string_view text() const { return {reinterpret_cast<const char*>(bytes.get()), size}; }
};
// Errors: read_file's; not enough memory.
Result<FileBytes> read_large_file(const std::filesystem::path& path, std::uint64_t max_bytes,
                                  std::size_t slack_bytes);

// Asks the system for large pages in memory that was not touched yet, because fetching a page for each 4 KiB
// takes longer than reading the file. Without large pages, nothing changes.
void prefer_large_pages(void* memory, std::size_t size_bytes);

}  // namespace lanescope
