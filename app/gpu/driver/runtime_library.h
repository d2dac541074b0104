// The version of this machine's CUDA runtime library (libcudart), which the program itself does not use.
#pragma once

#include <filesystem>
#include <optional>

namespace lanescope::gpu {

struct RuntimeLibrary {
    std::filesystem::path path;
    int version = 0;  // 13000
};

// Searches beside `nvrtc`, then on the loader's path.
std::optional<RuntimeLibrary> find_runtime_library(const std::filesystem::path& nvrtc);

}  // namespace lanescope::gpu
