// Which registers an instruction reads and writes.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace lanescope::ptx {

// Indices into Function::registers in operand order; a register that stands twice comes twice. The guard is
// read, and so are the bases of addresses; the carry flag (.cc) is not a register. A guarded instruction may
// leave what it writes alone.
std::vector<std::uint32_t> reads(const Instruction& instruction);
// The same without the guard, which decides whether the instruction runs, not what it computes.
std::vector<std::uint32_t> operand_reads(const Instruction& instruction);
std::vector<std::uint32_t> writes(const Instruction& instruction);

// Position of the first operand that is read: 1 when the first one is the destination, or a call's results.
std::size_t first_source(const Instruction& instruction);

}  // namespace lanescope::ptx
