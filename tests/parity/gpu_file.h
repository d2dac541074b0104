// Runs a kernel file with front matter on a GPU, with its buffers and launches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "gpu.h"
#include "lesson/instance.h"
#include "ptx/module.h"

namespace lanescope::parity {

// A file that is ready to run.
struct GpuFile {
    std::string source;
    lesson::Instance instance;
    compile::Output compiled;
    ptx::Module ptx;
};
// Opens a file. It is compiled unless `ptx_path` names PTX that was compiled from it before.
Result<GpuFile> open_file(const std::string& path, compile::Code code, const std::string& ptx_path = "");

// The bytes of a buffer without contents before the first launch.
enum class Unset { pattern, untouched };

// Runs all launches and returns the bytes of the buffers by name. A non-empty `image` is a cubin that was
// assembled from the file's PTX and is loaded instead of it.
using Buffers = std::map<std::string, std::vector<std::byte>>;
Result<Buffers> run_file(Gpu& gpu, const GpuFile& file, Unset unset, const std::string& image = "");

}  // namespace lanescope::parity
