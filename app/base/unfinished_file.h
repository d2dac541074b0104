// Files that are written under a temporary name until they are complete.
#pragma once

#include <cstddef>
#include <filesystem>

namespace lanescope {

// While it lives, a signal that ends the process removes the file at this path, if
// remove_unfinished_files_on_signals() was called. It neither creates nor removes the file itself. At most 16
// such files are registered at a time; further ones are left behind by a signal.
class UnfinishedFile {
  public:
    explicit UnfinishedFile(const std::filesystem::path& path);
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  private:
    std::size_t slot_;
};

// Makes SIGINT, SIGTERM and SIGHUP remove registered files before they end the process as usual. Signals that
// the process ignores stay ignored.
void remove_unfinished_files_on_signals();

}  // namespace lanescope
