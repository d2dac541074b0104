// Results of compilations on disk, by content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::compile {

class DiskCache {
  public:
    // Removes the entries that were not used for longest when more than `max_bytes` are kept.
    explicit DiskCache(std::filesystem::path folder, std::uint64_t max_bytes = 256ull << 20);

    // Nothing when there is no entry, or a damaged one.
    std::optional<std::string> get(std::string_view key) const;

    // Failures to write are no errors: the result is made again next time.
    void put(std::string_view key, std::string_view value) const;

  private:
    std::filesystem::path path_of(std::string_view key) const;
    void trim() const;

    std::filesystem::path folder_;
    std::uint64_t max_bytes_;
};

}  // namespace lanescope::compile
