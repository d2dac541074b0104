// Files that were open, and where a person was in each.
#pragma once

#include <filesystem>
#include <vector>

#include "compile/flags.h"
#include "lesson/instance.h"
#include "lesson/launch_words.h"

namespace lanescope::session {

// Where a person was in a file, kept from one start of the program to the next.
struct FileMemory {
    std::filesystem::path path;
    std::size_t step = 0;
    lesson::ParameterValues parameters;  // those that differ from the file's
    compile::Flags flags = {};
    std::string kernel = {};  // which kernel a launch was proposed for; empty: the first
    lesson::LaunchWords launch = {};
};

class RecentFiles {
  public:
    void restore(std::vector<FileMemory> files) { files_ = std::move(files); }  // the newest first
    void put(FileMemory memory);                                                // as the newest
    const FileMemory* find(const std::filesystem::path& file) const;            // null: it was not open
    // Returns the files, the newest first, with `open` before them; its path may be empty.
    std::vector<FileMemory> with(FileMemory open) const;

  private:
    std::vector<FileMemory> files_;
};

}  // namespace lanescope::session
