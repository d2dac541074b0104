// Finds NVRTC and the CUDA headers without loading anything.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::compile {

struct ToolkitFiles {
    std::filesystem::path nvrtc;  // a file, or a bare name for the loader's own search
    std::vector<std::filesystem::path> include_folders;
    std::filesystem::path linker;          // nvJitLink: a file, or a bare name for the loader's own search
    std::filesystem::path device_runtime;  // libcudadevrt.a for dynamic parallelism; empty if not found
    std::string identity;                  // changes when another version is installed in the same folder
};

Result<ToolkitFiles> locate_toolkit();

// A program of the toolkits, of wheels, or of $PATH; empty: there is none.
std::filesystem::path toolkit_program(const std::string& name);

}  // namespace lanescope::compile
