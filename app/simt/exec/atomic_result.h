// The result of an atomic operation for one lane.
#pragma once

#include <cstdint>

#include "ptx/module.h"
#include "simt/memory/memory.h"

namespace lanescope::simt {

// The new value from the old one and the operands, all as bits; the window matters to floating-point sums.
using AtomicResult = std::uint64_t (*)(std::uint64_t old, std::uint64_t b, std::uint64_t c, Window window);

// Null for operations on vectors and on 16 bytes.
AtomicResult atomic_result(const ptx::Instruction& instruction);

}  // namespace lanescope::simt
