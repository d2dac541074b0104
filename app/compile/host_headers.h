// The standard and system headers that CUDA files include and NVRTC does not have.
// What is given: the part that device code can use under nvcc without further flags (fixed-width integers,
// limits, mathematics, type traits, numeric_limits); headers of host code alone are empty.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/worker_protocol.h"

namespace lanescope::compile {

// By name. `with_runtime`: also the CUDA runtime's headers, empty, for when no toolkit folder holds them.
std::vector<NamedText> host_headers(bool with_runtime);

// A header of a library that only host code uses ("thrust/host_vector.h", "opencv2/core.hpp", "sys/time.h").
bool is_host_library_header(std::string_view name);

}  // namespace lanescope::compile
