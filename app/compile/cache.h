// Stores compilation results on disk by content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::compile {

// A file that holds a value under a key, and says whether both are whole.
std::string entry_bytes(std::string_view key, std::string_view value);
// Nothing if the file is missing, damaged, larger than `max_bytes` or of another key.
std::optional<std::string> read_entry(const std::filesystem::path& path, std::string_view key,
                                      std::uint64_t max_bytes);

class DiskCache {
  public:
    // When the entries exceed `max_bytes`, the cache removes the least recently used ones.
    explicit DiskCache(std::filesystem::path folder, std::uint64_t max_bytes = 256ull << 20);

    // Returns nothing if the entry is missing or damaged.
    std::optional<std::string> get(std::string_view key) const;

    // A failure to write is not an error; the result is computed again next time.
    void put(std::string_view key, std::string_view value) const;

  private:
    std::filesystem::path path_of(std::string_view key) const;
    void trim() const;

    std::filesystem::path folder_;
    std::uint64_t max_bytes_;
};

}  // namespace lanescope::compile
