#include "base/temporary_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lanescope {

Result<TemporaryFolder> TemporaryFolder::create(std::filesystem::path parent) {
    std::error_code failed;
    if (parent.empty()) parent = std::filesystem::temp_directory_path(failed);
    std::string pattern = (parent / "lanescope-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
        return error_at(parent.string(), 0, 0,
                        std::string("cannot make a temporary folder: ") + std::strerror(errno));
    return TemporaryFolder(pattern);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, std::filesystem::path())) {}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace lanescope
