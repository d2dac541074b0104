// The CUDA runtime library (libcudart) of this machine. Nothing here needs it; its version is worth knowing.
#pragma once

#include <filesystem>
#include <optional>

namespace lanescope::gpu {

struct RuntimeLibrary {
    std::filesystem::path path;
    int version = 0;  // 13000
};

// Beside `nvrtc` first, then where the loader searches.
std::optional<RuntimeLibrary> find_runtime_library(const std::filesystem::path& nvrtc);

}  // namespace lanescope::gpu
