// A folder that exists as long as its object.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace lanescope {

class TemporaryFolder {
  public:
    // Makes a folder that only this user can read, in `parent` or where the system keeps temporary files.
    // Errors: it cannot be made there.
    static Result<TemporaryFolder> create(std::filesystem::path parent = {});
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    ~TemporaryFolder();

    const std::filesystem::path& path() const { return path_; }

  private:
    explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

    std::filesystem::path path_;  // empty: nothing to remove
};

}  // namespace lanescope
