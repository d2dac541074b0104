// Finds the registers that an instruction reads and writes.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace lanescope::ptx {

// Returns indices into Function::registers in operand order; repeated registers are repeated. Reads include
// the guard and the bases of addresses. The carry flag (.cc) is not a register. A guarded instruction need
// not write its registers.
std::vector<std::uint32_t> reads(const Instruction& instruction);
// Returns the same without the guard, which decides whether the instruction runs, not what it computes.
std::vector<std::uint32_t> operand_reads(const Instruction& instruction);
std::vector<std::uint32_t> writes(const Instruction& instruction);

// Returns the position of the first operand that is read: 1 if the first operand is the destination or a
// call's results, otherwise 0.
std::size_t first_source(const Instruction& instruction);

}  // namespace lanescope::ptx
