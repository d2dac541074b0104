#include "base/sorted_entries.h"

#include <algorithm>
#include <system_error>

namespace lanescope {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> sorted_entries(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code code;
    fs::directory_iterator entry(folder, code);
    for (const fs::directory_iterator end; !code && entry != end; entry.increment(code))
        entries.push_back(entry->path());
    if (code) return error_at(folder.string(), 0, 0, "cannot be read: " + code.message());
    std::sort(entries.begin(), entries.end());
    return entries;
}

}  // namespace lanescope
