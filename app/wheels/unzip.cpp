#include "wheels/unzip.h"

#include <minizip/unzip.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>
#include <vector>

namespace lanescope::wheels {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_name_bytes = 4096;
constexpr unsigned long encrypted_flag = 1;

class Unzipper {
  public:
    Unzipper(const UnzipRequest& request, const std::atomic<bool>& cancel)
        : request_(request), cancel_(cancel), zip_(nullptr, &unzClose) {}

    Result<void> run() {
        zip_.reset(unzOpen64(request_.archive.c_str()));
        if (!zip_) return failed("is not a zip archive");
        unz_global_info64 about{};
        if (unzGetGlobalInfo64(zip_.get(), &about) != UNZ_OK) return failed("is a damaged zip archive");
        if (about.number_entry > request_.limits.max_files)
            return failed("holds more than " + std::to_string(request_.limits.max_files) + " files");
        int code = unzGoToFirstFile(zip_.get());
        for (; code == UNZ_OK; code = unzGoToNextFile(zip_.get()))
            if (const Result<void> done = unpack_one(); !done) return done;
        if (code != UNZ_END_OF_LIST_OF_FILE) return failed("is a damaged zip archive");
        return {};
    }

  private:
    Diagnostic failed(const std::string& why) const { return error_at(request_.archive.string(), 0, 0, why); }

    Result<void> unpack_one() {
        if (cancel_) return error("cancelled");
        unz_file_info64 info{};
        std::string name(max_name_bytes + 1, '\0');
        if (unzGetCurrentFileInfo64(zip_.get(), &info, name.data(), max_name_bytes, nullptr, 0, nullptr, 0) !=
            UNZ_OK)
            return failed("is a damaged zip archive");
        if (info.size_filename >= max_name_bytes) return failed("holds a name that is too long");
        name.resize(info.size_filename);
        if (!is_safe_name(name))
            return failed("holds a file that would lie outside its folder: '" + name + "'");
        const mode_t mode = static_cast<mode_t>(info.external_fa >> 16);
        if (S_ISLNK(mode)) return failed("holds a symbolic link: '" + name + "'");
        if ((info.flag & encrypted_flag) != 0) return failed("holds an encrypted file: '" + name + "'");
        if (name.ends_with('/')) return {};
        if (request_.wanted && !request_.wanted(name)) return {};
        return write(name);
    }

    Result<void> write(const std::string& name) {
        const fs::path path = request_.folder / name;
        std::error_code code;
        fs::create_directories(path.parent_path(), code);
        if (fs::exists(fs::symlink_status(path, code))) return failed("holds the file '" + name + "' twice");
        std::ofstream out(path, std::ios::binary);
        if (!out || unzOpenCurrentFile(zip_.get()) != UNZ_OK)
            return failed("'" + name + "' cannot be unpacked to " + path.string());
        std::vector<char> buffer(1 << 18);
        int count = 0;
        while ((count = unzReadCurrentFile(zip_.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) >
               0) {
            bytes_ += static_cast<std::uint64_t>(count);
            if (bytes_ > request_.limits.max_bytes || cancel_ || !out.write(buffer.data(), count)) break;
            if (request_.progress) request_.progress(bytes_);
        }
        out.close();
        const int closed = unzCloseCurrentFile(zip_.get());  // says whether the CRC is right
        if (cancel_) return error("cancelled");
        if (bytes_ > request_.limits.max_bytes)
            return failed("unpacks to more than " + std::to_string(request_.limits.max_bytes) + " bytes");
        if (!out) return error_at(path.string(), 0, 0, "cannot be written: is the disk full?");
        if (count < 0 || closed != UNZ_OK) return failed("is damaged at '" + name + "'");
        return {};
    }

    const UnzipRequest& request_;
    const std::atomic<bool>& cancel_;
    std::unique_ptr<void, int (*)(unzFile)> zip_;
    std::uint64_t bytes_ = 0;
};

}  // namespace

bool is_safe_name(const std::string& name) {
    if (name.empty() || name.front() == '/' || name.find('\\') != name.npos || name.find('\0') != name.npos)
        return false;
    for (const fs::path& part : fs::path(name))
        if (part == ".." || part == ".") return false;
    return true;
}

Result<void> unzip(const UnzipRequest& request, const std::atomic<bool>& cancel) {
    std::error_code code;
    fs::create_directories(request.folder, code);
    if (code) return error_at(request.folder.string(), 0, 0, "cannot be made: " + code.message());
    return Unzipper(request, cancel).run();
}

}  // namespace lanescope::wheels
