#include "ptx/register_use.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

void collect(const Operand& operand, std::vector<std::uint32_t>& registers) {
    if (operand.reg != no_index) registers.push_back(operand.reg);
    for (const Operand& element : operand.elements)
        collect(element, registers);
}

bool has_results(const Instruction& call) {
    return !call.operands.empty() && call.operands[0].kind == Operand::Kind::list;
}

}  // namespace

std::size_t first_source(const Instruction& instruction) {
    if (instruction.op == Op::call) return has_results(instruction) ? 1 : 0;
    return (info(instruction.op).flags & op_flag::writes) != 0 ? 1 : 0;
}

std::vector<std::uint32_t> reads(const Instruction& instruction) {
    std::vector<std::uint32_t> registers = operand_reads(instruction);
    if (instruction.guard != no_index) registers.insert(registers.begin(), instruction.guard);
    return registers;
}

std::vector<std::uint32_t> operand_reads(const Instruction& instruction) {
    std::vector<std::uint32_t> registers;
    for (std::size_t i = first_source(instruction); i < instruction.operands.size(); ++i)
        collect(instruction.operands[i], registers);
    return registers;
}

std::vector<std::uint32_t> writes(const Instruction& instruction) {
    std::vector<std::uint32_t> registers;
    const std::size_t count = std::min(first_source(instruction), instruction.operands.size());
    for (std::size_t i = 0; i < count; ++i)
        collect(instruction.operands[i], registers);
    return registers;
}

}  // namespace lanescope::ptx
