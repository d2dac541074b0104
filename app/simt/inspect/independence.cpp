#include "simt/inspect/independence.h"

#include <algorithm>
#include <vector>

#include "ptx/register_use.h"

namespace lanescope::simt {

namespace {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;

// What a name in the column `blocks` of opcodes.def means.
enum class Blocks : std::uint8_t {
    apart,    // sees and orders nothing of other blocks
    access,   // unless it polls
    atomic,   // unless the order of the operations shows
    fence,    // within the block
    ordered,  // may see the progress of other blocks
};

constexpr Blocks blocks_of_opcode[] = {
#define LANESCOPE_OP(name, text, operands, flags, counted, flow, blocks, ...) Blocks::blocks,
#include "ptx/opcodes.def"
};

// Memory that other blocks do not have. Generic addresses may be anything.
bool is_private(ptx::Space space) {
    return ptx::is_parameter(space) || space == ptx::Space::shared || space == ptx::Space::shared_cta ||
           space == ptx::Space::local || space == ptx::Space::const_;
}

bool polls(const Instruction& instruction) {
    return instruction.has(Mod::volatile_) || instruction.has(Mod::relaxed) ||
           instruction.has(Mod::acquire) || instruction.has(Mod::release) || instruction.has(Mod::mmio);
}

bool order_is_free(const Instruction& instruction) {
    const ptx::Type type = instruction.type();
    const bool integer = type == ptx::Type::u32 || type == ptx::Type::s32 || type == ptx::Type::u64 ||
                         type == ptx::Type::s64 || type == ptx::Type::b32 || type == ptx::Type::b64;
    const bool commutes = instruction.has(Mod::add) || instruction.has(Mod::min) ||
                          instruction.has(Mod::max) || instruction.has(Mod::and_) ||
                          instruction.has(Mod::or_) || instruction.has(Mod::xor_);
    return integer && commutes && instruction.vector_length() == 1;
}

bool is_read(const ptx::Function& function, std::uint32_t reg) {
    return std::any_of(function.instructions.begin(), function.instructions.end(),
                       [&](const Instruction& each) {
                           const std::vector<std::uint32_t> read = ptx::reads(each);
                           return std::find(read.begin(), read.end(), reg) != read.end();
                       });
}

bool atomic_keeps_apart(const ptx::Function& function, const Instruction& instruction) {
    if (is_private(instruction.space())) return true;
    if (!order_is_free(instruction)) return false;
    if (instruction.op == Op::red) return true;
    const Operand& old = instruction.operands[0];
    return old.kind == Operand::Kind::discard ||
           (old.kind == Operand::Kind::reg && !is_read(function, old.reg));
}

bool reads_clock(const Operand& operand) {
    if (operand.kind != Operand::Kind::special) return false;
    switch (operand.special) {
        case ptx::Special::clock:
        case ptx::Special::clock_hi:
        case ptx::Special::clock64:
        case ptx::Special::globaltimer:
        case ptx::Special::globaltimer_lo:
        case ptx::Special::globaltimer_hi:
            return true;
        default:
            return false;
    }
}

bool keeps_apart(const ptx::Function& function, const Instruction& instruction) {
    switch (blocks_of_opcode[static_cast<std::size_t>(instruction.op)]) {
        case Blocks::apart:
            return std::none_of(instruction.operands.begin(), instruction.operands.end(), reads_clock);
        case Blocks::access:
            return is_private(instruction.space()) || !polls(instruction);
        case Blocks::atomic:
            return atomic_keeps_apart(function, instruction);
        case Blocks::fence:
            return instruction.has(Mod::cta);
        case Blocks::ordered:
            break;
    }
    return false;
}

}  // namespace

bool keeps_blocks_apart(const ptx::Function& function) {
    return std::all_of(function.instructions.begin(), function.instructions.end(),
                       [&](const Instruction& instruction) { return keeps_apart(function, instruction); });
}

}  // namespace lanescope::simt
