// Where control can go in a function.
#pragma once

#include <cstdint>

#include "simt/program/program.h"

namespace lanescope::simt {

struct LaunchContext;

// Whether control can get from one instruction of a function to another.
bool reaches(const Program& program, const Decoded* code, std::uint32_t from, std::uint32_t to);

// The same without going back to where a loop begins. The text's order does not tell: optimised code may have
// a loop's end before its body. Remembered in the run.
bool reaches_forward(LaunchContext& run, std::uint32_t from, std::uint32_t to);

}  // namespace lanescope::simt
