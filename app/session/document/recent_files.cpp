#include "session/document/recent_files.h"

#include <algorithm>

namespace lanescope::session {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_files = 30;

fs::path whole(const fs::path& path) {
    std::error_code failed;
    fs::path made = fs::weakly_canonical(path, failed);
    return failed || path.empty() ? path : made;
}

}  // namespace

void RecentFiles::put(FileMemory memory) {
    files_ = with(std::move(memory));
    if (files_.size() > max_files) files_.resize(max_files);
}

const FileMemory* RecentFiles::find(const fs::path& file) const {
    const auto known = std::find_if(files_.begin(), files_.end(),
                                    [&](const FileMemory& each) { return whole(each.path) == whole(file); });
    return known == files_.end() ? nullptr : &*known;
}

std::vector<FileMemory> RecentFiles::with(FileMemory open) const {
    std::vector<FileMemory> files = files_;
    if (open.path.empty()) return files;
    std::erase_if(files, [&](const FileMemory& each) { return whole(each.path) == whole(open.path); });
    files.insert(files.begin(), std::move(open));
    return files;
}

}  // namespace lanescope::session
