// Names and texts of CUDA's errors as kernels see them: strings in device memory that end with a zero.
#pragma once

#include <cstdint>
#include <string>

namespace lanescope::simt {

const std::string& error_strings();  // all, one behind the other
// Where the string of a code begins in error_strings().
std::uint64_t error_name_at(std::uint32_t code);
std::uint64_t error_text_at(std::uint32_t code);

}  // namespace lanescope::simt
