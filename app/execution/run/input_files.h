// The files that a run reads, so that no output replaces one of them.
#pragma once

#include <filesystem>
#include <vector>

namespace lanescope::execution {

// Returns the file, the headers that it includes (also from `include_folders`), the images and the data that
// its front matter names, and the front matter's file beside a PTX file. Runs and compiles nothing. What
// cannot be read is left out: the run reports it.
std::vector<std::filesystem::path> input_files(
    const std::filesystem::path& file, const std::vector<std::filesystem::path>& include_folders = {});

}  // namespace lanescope::execution
