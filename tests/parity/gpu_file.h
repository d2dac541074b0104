// Runs a kernel file with front matter on a GPU: its buffers, its launches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "gpu.h"
#include "lesson/instance.h"
#include "ptx/module.h"

namespace lanescope::parity {

// A file as it is before it runs.
struct GpuFile {
    std::string source;
    lesson::Instance instance;
    compile::Output compiled;
    ptx::Module ptx;
};
// Without `ptx_path` the file is compiled; with it, that PTX was made of it before.
Result<GpuFile> open_file(const std::string& path, compile::Code code, const std::string& ptx_path = "");

// What buffers without contents hold before the first launch.
enum class Unset { pattern, untouched };

// Launches everything; the buffers' bytes afterwards, by name. `image` is loaded instead of the file's PTX
// when it is not empty: a cubin that was assembled from it.
using Buffers = std::map<std::string, std::vector<std::byte>>;
Result<Buffers> run_file(Gpu& gpu, const GpuFile& file, Unset unset, const std::string& image = "");

}  // namespace lanescope::parity
