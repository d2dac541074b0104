// Kernels whose time depends on what the trace does not have.
#pragma once

#include <cstdint>

#include "analysis/cycles/machine_code.h"

namespace lanescope::analysis {

// Looks at the instructions [first, end) of one function: loops that wait for other threads, launches by
// kernels, printf.
Refusal refusal_of(const Code& code, std::uint32_t first, std::uint32_t end);

}  // namespace lanescope::analysis
