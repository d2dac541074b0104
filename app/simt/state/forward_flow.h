// Paths of control in a function.
#pragma once

#include <cstdint>

#include "simt/program/program.h"

namespace lanescope::simt {

// Whether control can get from one instruction of a function to another.
bool reaches(const Program& program, const Decoded* code, std::uint32_t from, std::uint32_t to);

}  // namespace lanescope::simt
