// What the command line (-I, -D, --std, --arch) and a front matter say about compiling a file.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::compile {

struct Flags {
    std::vector<std::string> include_folders;  // where headers are searched after the file's own folder
    std::vector<std::string> definitions;      // "NAME" or "NAME=VALUE"
    std::string standard;                      // "c++20"; empty: c++17
    std::string arch;                          // "compute_90"; empty: chosen by the text, see target_for()

    bool operator==(const Flags&) const = default;
};

// Returns the target of PTX that a person means: "compute_90" for "sm_90", "compute_90" and "90". Error: not
// a target, or one that this program does not know.
Result<std::string> ptx_target(const std::string& text);

// The target of a file that names none: the oldest that all parts of this program support, so that recorded
// counts stay; for a text that tests __CUDA_ARCH__ the newest.
inline constexpr const char* lesson_target = "compute_75";
inline constexpr const char* newest_target = "compute_90";

// Errors: a definition that is not NAME or NAME=VALUE; an unknown standard; a bad target.
Result<void> check_flags(const Flags& flags);

// Returns `flags` with what `first` says in front of it and instead of it.
Flags merged(const Flags& first, Flags flags);

// Returns the flags as a command line has them: {"-I", "include", "-D", "N=4", …}.
std::vector<std::string> arguments_of(const Flags& flags);

}  // namespace lanescope::compile
