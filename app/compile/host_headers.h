// Replacements for the standard and system headers that CUDA files include and NVRTC lacks. They contain the
// part that device code can use under nvcc without further flags (fixed-width integers, limits, mathematics,
// type traits, numeric_limits). Headers for host code only are empty.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/worker_protocol.h"

namespace lanescope::compile {

// Returns the headers by name. `with_runtime`: adds empty CUDA runtime headers, for use without a toolkit
// folder.
std::vector<NamedText> host_headers(bool with_runtime);

// The header that declares what nvcc declares in every file: fixed-width integers, limits, INFINITY, uint, …
inline constexpr const char* implicit_header = "lanescope_implicit.h";
bool is_implicit_name(std::string_view name);

// Returns whether only host code uses the header's library ("thrust/host_vector.h", "opencv2/core.hpp",
// "sys/time.h").
bool is_host_library_header(std::string_view name);

}  // namespace lanescope::compile
