#include "serve/static_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/files.h"

namespace lanescope::serve {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_files = 5000;
constexpr std::uint64_t max_bytes = 512ull << 20;

struct Type {
    std::string_view ending, name;
};
// A .gz file is data that the page unpacks itself, not another file in transit: it has no Content-Encoding.
constexpr std::array types = {Type{".html", "text/html; charset=utf-8"},
                              Type{".js", "text/javascript; charset=utf-8"},
                              Type{".mjs", "text/javascript; charset=utf-8"},
                              Type{".css", "text/css; charset=utf-8"},
                              Type{".json", "application/json"},
                              Type{".webmanifest", "application/manifest+json"},
                              Type{".wasm", "application/wasm"},
                              Type{".gz", "application/gzip"},
                              Type{".svg", "image/svg+xml"},
                              Type{".png", "image/png"},
                              Type{".jpg", "image/jpeg"},
                              Type{".gif", "image/gif"},
                              Type{".ico", "image/x-icon"},
                              Type{".cu", "text/plain; charset=utf-8"},
                              Type{".txt", "text/plain; charset=utf-8"},
                              Type{".md", "text/plain; charset=utf-8"}};

std::string type_of(const fs::path& file) {
    const std::string ending = file.extension().string();
    const auto found =
        std::find_if(types.begin(), types.end(), [&](const Type& type) { return type.ending == ending; });
    return std::string(found == types.end() ? "application/octet-stream" : found->name);
}

// Calls `take` with each file that is served. Error: the folder cannot be read.
template <class Take>
std::error_code for_each_file(const fs::path& folder, Take take) {
    std::error_code failed;
    fs::recursive_directory_iterator each(folder, failed), end;
    for (; !failed && each != end; each.increment(failed)) {
        std::error_code gone;
        const bool hidden = each->path().filename().string().starts_with('.');
        const fs::file_status status = each->symlink_status(gone);
        if (hidden && fs::is_directory(status)) each.disable_recursion_pending();
        if (!gone && !hidden && fs::is_regular_file(status) && !take(each->path())) break;
    }
    return failed;
}

// Error: it has become a link, or cannot be read.
Result<std::string> bytes_of(const fs::path& file) {
    const Descriptor opened(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    std::string bytes;
    char part[1 << 16];
    ssize_t count = opened ? 1 : -1;
    while (count > 0 && bytes.size() <= max_bytes) {
        count = ::read(opened.number(), part, sizeof part);
        if (count > 0) bytes.append(part, static_cast<std::size_t>(count));
    }
    if (count >= 0) return bytes;
    return error_at(file.string(), 0, 0, std::string("cannot be read: ") + std::strerror(errno));
}

// Changes when a file of the folder does: names, sizes and times.
std::string state_of(const fs::path& folder) {
    std::vector<std::string> lines;
    for_each_file(folder, [&](const fs::path& path) {
        std::error_code gone;
        const auto time = fs::last_write_time(path, gone).time_since_epoch().count();
        lines.push_back(path.string() + ' ' + std::to_string(fs::file_size(path, gone)) + ' ' +
                        std::to_string(time));
        return lines.size() < max_files;
    });
    std::sort(lines.begin(), lines.end());
    std::string all;
    for (const std::string& line : lines)
        all += line + '\n';
    return content_hash(all);
}

}  // namespace

Result<StaticFiles> StaticFiles::read(const fs::path& folder) {
    StaticFiles all;
    Diagnostics problems;
    std::uint64_t total = 0;
    const std::error_code failed = for_each_file(folder, [&](const fs::path& path) {
        Result<std::string> bytes = bytes_of(path);
        if (!bytes) {
            problems = bytes.diagnostics();
            return false;
        }
        total += bytes->size();
        if (total > max_bytes || all.files_.size() >= max_files) {
            problems = {error_at(folder.string(), 0, 0, "the folder has more than 5,000 files or 512 MiB",
                                 "name the folder that 'lanescope web -o FOLDER' wrote")};
            return false;
        }
        const std::string tag = '"' + content_hash(*bytes) + '"';
        all.files_["/" + path.lexically_relative(folder).generic_string()] =
            std::make_shared<const StaticFile>(StaticFile{std::move(*bytes), type_of(path), tag});
        return true;
    });
    if (!problems.empty()) return problems;
    if (failed) return error_at(folder.string(), 0, 0, "cannot be read: " + failed.message());
    if (!all.find("/"))
        return error_at(folder.string(), 0, 0, "the folder has no index.html",
                        "'lanescope web -o FOLDER' writes a folder that can be served");
    return all;
}

std::shared_ptr<const StaticFile> StaticFiles::find(const std::string& path) const {
    const auto found = files_.find(path.ends_with('/') ? path + "index.html" : path);
    return found == files_.end() ? nullptr : found->second;
}

Result<ServedFolder> ServedFolder::open(const fs::path& folder) {
    ServedFolder served;
    if (folder.empty()) return served;
    served.folder_ = folder;
    served.served_state_ = served.seen_state_ = state_of(folder);
    Result<StaticFiles> files = StaticFiles::read(folder);
    if (!files) return files.diagnostics();
    served.files_ = std::make_shared<const StaticFiles>(std::move(*files));
    return served;
}

std::shared_ptr<const StaticFile> ServedFolder::find(const std::string& path) const {
    const std::scoped_lock lock(*mutex_);
    return files_->find(path);
}

Result<void> ServedFolder::follow() {
    if (folder_.empty()) return {};
    const std::string state = state_of(folder_);
    if (std::exchange(seen_state_, state) != state || state == served_state_) return {};
    served_state_ = state;
    Result<StaticFiles> files = StaticFiles::read(folder_);
    if (!files) return files.diagnostics();
    auto shared = std::make_shared<const StaticFiles>(std::move(*files));
    const std::scoped_lock lock(*mutex_);
    files_.swap(shared);
    return {};
}

}  // namespace lanescope::serve
