#include "simt/decode/function_decoder.h"
#include "simt/exec/executors.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Op;
using ptx::Operand;
using ptx::Type;

Exec FunctionDecoder::decode_cluster(const Instruction& instruction, Decoded& decoded) {
    const Op op = instruction.op;
    if (op == Op::barrier_cluster_arrive || op == Op::barrier_cluster_wait) {
        decoded.flags |= decoded_flag::control;
        return executor(instruction);
    }
    const bool wide = op == Op::createpolicy || (op == Op::mapa && is_wide(instruction.type()));
    decoded.dst = operands_.destination(instruction.operands[0], wide ? Type::b64 : Type::b32);
    if (decoded.dst == no_ref) return nullptr;
    if (op == Op::createpolicy) return executor(instruction);  // the result is always 0
    const Operand& from = instruction.operands[1];
    decoded.narrow_address = !is_wide(instruction.type());
    if (from.kind == Operand::Kind::symbol) {
        const OperandDecoder::Address address = operands_.symbol(from);
        if (address.slot != nullptr || address.window != Window::shared) return nullptr;
        decoded.a = address.row;
        decoded.imm = wrapping_sum(
            address.offset, instruction.space() == ptx::Space::generic ? generic_offset(Window::shared) : 0);
        decoded.narrow_address = false;
    } else {
        decoded.a = operands_.source(from, instruction.type());
    }
    if (op == Op::mapa) decoded.b = operands_.source(instruction.operands[2], Type::u32);
    return executor(instruction);
}

Exec FunctionDecoder::decode_stack(const Instruction& instruction, Decoded& decoded) {
    const Type type = instruction.type();
    if (instruction.op == Op::stackrestore) {
        decoded.a = operands_.source(instruction.operands[0], type);
    } else {
        decoded.dst = operands_.destination(instruction.operands[0], type);
        if (decoded.dst == no_ref) return nullptr;
    }
    if (instruction.op == Op::alloca) {
        decoded.a = operands_.source(instruction.operands[1], type);
        decoded.imm = 8;  // the default alignment
        if (instruction.operands.size() > 2) {
            const Operand& alignment = instruction.operands[2];
            const std::uint64_t bytes = alignment.bits;
            if (alignment.kind != Operand::Kind::integer || bytes == 0 || (bytes & (bytes - 1)) != 0 ||
                bytes > 4096)
                return nullptr;
            decoded.imm = static_cast<std::int64_t>(bytes);
        }
    }
    return executor(instruction);
}

}  // namespace lanescope::simt
