#include "wheels/get_compiler.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <system_error>

#include "wheels/sha256.h"
#include "wheels/unzip.h"

namespace lanescope::wheels {

namespace fs = std::filesystem;

namespace {

constexpr const char* index_types =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";
constexpr std::uint64_t max_wheel_bytes = 1ull << 30;
// What the wheels need unpacked, beside themselves, as a multiple of their size: NVRTC's packs to a third.
constexpr std::uint64_t unpacked_factor = 4;

// Held while the folder changes; the system gives it up with the process.
class FolderLock {
  public:
    explicit FolderLock(const fs::path& file)
        : file_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)),
          held_(file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) == 0) {}
    ~FolderLock() {
        if (file_ >= 0) ::close(file_);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    bool held() const { return held_; }

  private:
    int file_;
    bool held_;
};

// Where things lie until they are in place: beside the folder, so that renaming is all that is left.
struct WorkFolders {
    explicit WorkFolders(const fs::path& folder)
        : downloads(folder.string() + ".download"),
          tree(folder.string() + ".new"),
          old(folder.string() + ".old"),
          lock(folder.string() + ".lock") {}
    fs::path downloads, tree, old, lock;
};

// A second library for older GPUs, and archives to link with: the program opens neither.
bool is_needed(const std::string& name) {
    const bool archive = name.ends_with(".a") && !name.ends_with("/libcudadevrt.a");
    return !archive && name.find(".alt.so") == name.npos;
}

Diagnostics with_remedy(Diagnostics problems, const std::vector<Requirement>& wanted,
                        const fs::path& folder) {
    Diagnostic& first = problems.front();
    first.hint += (first.hint.empty() ? "" : "; ") + by_hand(wanted, folder);
    return problems;
}

std::vector<Requirement> requirements_of(const CompilerPlan& plan) {
    std::vector<Requirement> all;
    for (const CompilerPlan::Wheel& each : plan.wheels)
        all.push_back(each.wheel);
    return all;
}

Result<void> check_room(const CompilerPlan& plan) {
    std::error_code code;
    const fs::space_info space = fs::space(plan.folder.parent_path(), code);
    const std::uint64_t needed = plan.download_bytes * (1 + unpacked_factor);
    if (code || space.available >= needed) return {};
    return error_at(plan.folder.parent_path().string(), 0, 0,
                    "has too little room: " + megabytes(needed) + " are needed, " +
                        megabytes(space.available) + " are free");
}

// A file that was downloaded and is what the index says. What is not is removed.
Result<void> check_download(const fs::path& path, const IndexFile& file) {
    const Result<std::string> found = sha256_of(path);
    if (!found) return found.diagnostics();
    if (*found == file.sha256) return {};
    std::error_code ignored;
    fs::remove(path, ignored);
    return error(
        file.name + " is not the file that the package index describes: its SHA-256 differs",
        "start this again; if the message comes back, something between here and the index changes files");
}

Result<void> fetch(const Http& http, const CompilerPlan::Wheel& wheel, const fs::path& path,
                   std::uint64_t before, std::uint64_t all, const OnCompilerProgress& progress,
                   const std::atomic<bool>& cancel) {
    const std::string words = "downloading " + wheel.wheel.name;
    std::error_code code;
    const bool whole = fs::is_regular_file(path, code) && wheel.file.size_bytes != 0 &&
                       fs::file_size(path, code) == wheel.file.size_bytes;
    if (!whole) {
        const std::uint64_t most = wheel.file.size_bytes != 0 ? wheel.file.size_bytes : max_wheel_bytes;
        const auto told = [&](std::uint64_t there) { progress({words, before + there, all}); };
        if (const Result<void> done = http.download(wheel.file.url, path, most, told, cancel); !done)
            return done;
    }
    return check_download(path, wheel.file);
}

Result<void> put_in_place(const fs::path& folder, const WorkFolders& work) {
    std::error_code code;
    fs::remove_all(work.old, code);
    if (fs::exists(folder, code)) fs::rename(folder, work.old, code);
    if (!code) fs::rename(work.tree, folder, code);
    if (code) {
        std::error_code ignored;
        if (!fs::exists(folder, ignored)) fs::rename(work.old, folder, ignored);
        return error_at(folder.string(), 0, 0, "cannot be put in place: " + code.message());
    }
    std::error_code ignored;
    fs::remove_all(work.old, ignored);
    fs::remove_all(work.downloads, ignored);
    return {};
}

Result<void> install(const Http& http, const CompilerPlan& plan, const WorkFolders& work,
                     const OnCompilerProgress& progress, const std::atomic<bool>& cancel) {
    std::error_code code;
    fs::create_directories(work.downloads, code);
    if (code) return error_at(work.downloads.string(), 0, 0, "cannot be made: " + code.message());
    fs::remove_all(work.tree, code);  // of an attempt that was interrupted
    std::uint64_t before = 0;
    for (const CompilerPlan::Wheel& wheel : plan.wheels) {
        const fs::path path = work.downloads / fs::path(wheel.file.name).filename();
        if (const Result<void> done = fetch(http, wheel, path, before, plan.download_bytes, progress, cancel);
            !done)
            return done;
        before += wheel.file.size_bytes;
    }
    for (const CompilerPlan::Wheel& wheel : plan.wheels) {
        UnzipRequest request{work.downloads / fs::path(wheel.file.name).filename(), work.tree};
        request.wanted = is_needed;
        request.progress = [&](std::uint64_t bytes) {
            progress({"unpacking " + wheel.wheel.name, bytes, 0});
        };
        if (const Result<void> done = unzip(request, cancel); !done) {
            if (!cancel) fs::remove(request.archive, code);  // it is refused the next time, too
            return done;
        }
    }
    return put_in_place(plan.folder, work);
}

}  // namespace

std::string megabytes(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f MB", double(bytes) / 1e6);
    return text;
}

std::string by_hand(const std::vector<Requirement>& wanted, const fs::path& folder) {
    std::string names;
    for (const Requirement& each : wanted)
        names += (names.empty() ? "" : ", ") + each.name + " " + each.version;
    return "by hand: download the files for Linux x86-64 of " + names +
           " from https://pypi.org (each project's page, 'Download files') and unpack them with 'unzip "
           "FILE.whl -d " +
           folder.string() + "'; or install the CUDA Toolkit 12 or later";
}

Result<CompilerPlan> plan_compiler(const Http& http, const std::vector<Requirement>& wanted,
                                   const fs::path& folder, const std::atomic<bool>& cancel) {
    CompilerPlan plan;
    plan.folder = folder;
    plan.host = host_of(http.settings().index_url);
    for (const Requirement& each : wanted) {
        const Result<Http::Page> page =
            http.get(http.settings().index_url + "/" + each.name + "/", index_types, cancel);
        if (!page) return cancel ? page.diagnostics() : with_remedy(page.diagnostics(), wanted, folder);
        const Result<std::vector<IndexFile>> files = parse_index(page->text);
        Result<IndexFile> file = files ? choose_wheel(*files, each) : Result<IndexFile>(files.diagnostics());
        if (!file) return with_remedy(file.diagnostics(), wanted, folder);
        file->url = http.absolute(page->url, file->url);
        if (file->size_bytes == 0) file->size_bytes = http.size_of(file->url, cancel);
        if (file->size_bytes > max_wheel_bytes) return error(file->name + " is larger than 1 GiB");
        plan.download_bytes += file->size_bytes;
        plan.wheels.push_back({each, std::move(*file)});
    }
    return plan;
}

Result<void> install_compiler(const Http& http, const CompilerPlan& plan, const OnCompilerProgress& progress,
                              const std::atomic<bool>& cancel) {
    std::error_code code;
    fs::create_directories(plan.folder.parent_path(), code);
    const WorkFolders work(plan.folder);
    const FolderLock lock(work.lock);
    if (!lock.held())
        return error("another Lanescope is getting the compiler into " + plan.folder.string(),
                     "wait until it is done; its window or terminal shows how far it is");
    if (const Result<void> room = check_room(plan); !room) return room;
    Result<void> done = install(http, plan, work, progress, cancel);
    std::error_code ignored;
    fs::remove_all(work.tree, ignored);
    fs::remove(work.lock, ignored);
    if (done || cancel) return done;
    return with_remedy(done.diagnostics(), requirements_of(plan), plan.folder);
}

}  // namespace lanescope::wheels
