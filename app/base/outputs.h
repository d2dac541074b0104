// The files that a person names for results: every subcommand and every save dialog checks them here, before
// any work is done.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file_kind.h"
#include "base/result.h"

namespace lanescope {

struct Output {
    std::string name;             // of the option or the dialog, for messages: "--save"
    std::filesystem::path file;   // empty: it was not asked for
    std::vector<FileKind> kinds;  // that it can write
    bool makes_folders = false;   // missing folders are made
    bool also_folder = false;     // it may name a folder
};

// Errors: an ending that the output does not have; a file that is an input or another output, also through a
// link or under another spelling; a link to a file of another kind; a folder; a folder that is missing. A
// device or a pipe, such as /dev/stdout, is always allowed.
Result<void> check_outputs(const std::vector<Output>& outputs,
                           const std::vector<std::filesystem::path>& inputs);

}  // namespace lanescope
