// The files of a folder, in memory: a request names one of them, so that no path of a request reaches the
// disk.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"

namespace lanescope::serve {

struct StaticFile {
    std::string bytes, type, tag;  // what it is (text/html …); changes with the bytes
};

class StaticFiles {
  public:
    // Reads all regular files below the folder, neither links nor names that begin with a dot. Errors: the
    // folder cannot be read or has no index.html; too many files or bytes.
    static Result<StaticFiles> read(const std::filesystem::path& folder);

    // `path` is that of a URL, "/course.tar.gz"; "/" is index.html. Null: there is no such file.
    std::shared_ptr<const StaticFile> find(const std::string& path) const;

  private:
    std::map<std::string, std::shared_ptr<const StaticFile>, std::less<>> files_;
};

// The files of a folder as they are now. Follows changes of the folder.
class ServedFolder {
  public:
    // An empty path: there are no files. Errors: those of StaticFiles::read().
    static Result<ServedFolder> open(const std::filesystem::path& folder);
    std::shared_ptr<const StaticFile> find(const std::string& path) const;

    // To be called now and then: reads the folder again if it has changed and then stayed as it was since the
    // last call. Error: it cannot be read; the files stay as they were.
    Result<void> follow();

  private:
    std::filesystem::path folder_;
    std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
    std::shared_ptr<const StaticFiles> files_ = std::make_shared<const StaticFiles>();
    std::string served_state_, seen_state_;
};

}  // namespace lanescope::serve
