#include "compile/cache.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "base/files.h"

namespace lanescope::compile {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view entry_mark = "lanescope cache 1\n";
constexpr std::size_t hash_digits = 32;

// The check covers the key, too, so that a file copied to another name does not match that name.
std::string checked(std::string_view key, std::string_view value) {
    return content_hash(std::string(key) + '\n' + std::string(value));
}

}  // namespace

std::string entry_bytes(std::string_view key, std::string_view value) {
    return std::string(entry_mark) + checked(key, value) + std::string(value);
}

std::optional<std::string> read_entry(const fs::path& path, std::string_view key, std::uint64_t max_bytes) {
    std::error_code code;
    if (!fs::is_regular_file(path, code)) return std::nullopt;
    Result<std::string> bytes = read_file(path, max_bytes);
    if (!bytes || !std::string_view(*bytes).starts_with(entry_mark) ||
        bytes->size() < entry_mark.size() + hash_digits)
        return std::nullopt;
    const std::string_view hash = std::string_view(*bytes).substr(entry_mark.size(), hash_digits);
    const std::string_view value = std::string_view(*bytes).substr(entry_mark.size() + hash_digits);
    if (hash != checked(key, value)) return std::nullopt;
    return std::string(value);
}

DiskCache::DiskCache(fs::path folder, std::uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {}

fs::path DiskCache::path_of(std::string_view key) const {
    return folder_ / (std::string(key) + ".entry");
}

std::optional<std::string> DiskCache::get(std::string_view key) const {
    const fs::path path = path_of(key);
    std::optional<std::string> value = read_entry(path, key, max_bytes_);
    std::error_code code;
    if (value)  // used now: the last to be removed
        fs::last_write_time(path, fs::file_time_type::clock::now(), code);
    return value;
}

void DiskCache::put(std::string_view key, std::string_view value) const {
    std::error_code code;
    fs::create_directories(folder_, code);
    if (write_file(path_of(key), entry_bytes(key, value))) trim();
}

void DiskCache::trim() const {
    struct Entry {
        fs::path path;
        fs::file_time_type used;
        std::uint64_t bytes;
    };
    std::vector<Entry> entries;
    std::uint64_t total = 0;
    std::error_code code;
    for (fs::directory_iterator it(folder_, code), end; !code && it != end; it.increment(code)) {
        std::error_code ignored;
        const std::uint64_t bytes = it->file_size(ignored);
        if (ignored) continue;
        entries.push_back({it->path(), it->last_write_time(ignored), bytes});
        total += bytes;
    }
    if (total <= max_bytes_) return;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        if (total <= max_bytes_ / 4 * 3) break;  // leaves room, so that not every write must trim
        if (fs::remove(entry.path, code)) total -= entry.bytes;
    }
}

}  // namespace lanescope::compile
