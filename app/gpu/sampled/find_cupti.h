// Where NVIDIA's profiling library CUPTI is, without its headers.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::gpu {

// $LANESCOPE_CUPTI, or libcupti of the toolkit in CUDA_HOME, CUDA_PATH or /usr/local/cuda, or names for the
// loader to find; in the order in which they are tried.
std::vector<std::string> cupti_places();

// Opens the library and closes it again.
std::optional<std::filesystem::path> find_cupti();

}  // namespace lanescope::gpu
