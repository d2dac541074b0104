// Confines the compiler's process, because the text that it compiles may come from a stranger.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::compile {

// Whether the process still opens the system's libraries, or has loaded all that it needs.
enum class Libraries : std::uint8_t { readable, loaded };

// From now on the process can read only below these paths and the system's libraries, can write no file, and
// has no network. Uses Landlock (Linux 5.13); without it the process stays as it is. Returns the version of
// Landlock's interface, 0 without it. Paths that do not exist are skipped.
int confine_to(const std::vector<std::filesystem::path>& readable, Libraries libraries = Libraries::readable);

// From now on the process can start no process, open no socket, send no other process a signal, and look into
// none. Uses seccomp; returns false if the kernel has none.
bool forbid_other_processes();

// "Landlock 7: the compiler reads only …", or why there is none; for reports.
std::string confinement_text();

}  // namespace lanescope::compile
