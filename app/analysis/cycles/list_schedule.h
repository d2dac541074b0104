// The order in which the assembler issues the instructions of a basic block: loads first, as far as their
// operands and the order of memory allow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

class Code;
class MachineCode;

// Returns places in `pcs`, each once. A list scheduler that always takes the
// ready instruction with the longest path of latencies behind it, of equal ones the first.
// Source: P. B. Gibbons, S. S. Muchnick, "Efficient Instruction Scheduling for a Pipelined Architecture"
// (1986).
std::vector<std::uint16_t> list_schedule(const Code& code, const MachineCode& machine,
                                         std::span<const std::uint32_t> pcs);

}  // namespace lanescope::analysis
