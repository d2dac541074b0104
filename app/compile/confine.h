// Confines the compiler's process, because the text that it compiles may come from a stranger.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::compile {

// From now on the process can read only below these paths and the system's libraries, can write no file, and
// has no network. Uses Landlock (Linux 5.13); without it the process stays as it is. Returns the version of
// Landlock's interface, 0 without it. Paths that do not exist are skipped.
int confine_to(const std::vector<std::filesystem::path>& readable);

// "Landlock 7: the compiler reads only …", or why there is none; for reports.
std::string confinement_text();

}  // namespace lanescope::compile
