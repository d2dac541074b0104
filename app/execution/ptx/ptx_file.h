// PTX that a compiler wrote (Triton's, Numba's, Julia's, Rust's, nvcc's), opened as a file of its own.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"

namespace lanescope::execution {

struct PtxFile {
    ptx::Module module;
    ptx::DebugInfo debug;
    // The file whose lines are steps, as the module names it, and its text: the original source where the PTX
    // names lines and the file is there, else the PTX itself.
    std::string user_file;
    std::string source;
    std::string target;  // "sm_90a"
    std::string note;    // why the lines are the PTX's; empty: they are the source's
    bool own_lines() const { return !note.empty(); }
};

// `text` is what `file` holds. The source is looked for where the PTX says, then beside `file`. Errors: those
// of ptx::parse(); there is no kernel.
Result<PtxFile> open_ptx(const std::string& text, const std::string& file);

}  // namespace lanescope::execution
