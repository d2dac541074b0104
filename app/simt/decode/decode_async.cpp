#include "simt/decode/function_decoder.h"
#include "simt/exec/executors.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::Type;

AddressForm FunctionDecoder::address_form(const Operand& operand, ptx::Space space) {
    Decoded place;
    if (place_address(operand, space, place) != nullptr)
        operands_.fail("a parameter cannot take part in this instruction");
    return {place.a, place.imm, place.window, place.narrow_address};
}

// [to], [from], size {, source size or predicate that ignores the source} {, cache policy}
Exec FunctionDecoder::decode_copy(const Instruction& instruction, Decoded& decoded) {
    const Operand* to = operands_.at(instruction, 0);
    const Operand* from = operands_.at(instruction, 1);
    const Operand* size = operands_.at(instruction, 2);
    if (to == nullptr || from == nullptr || size == nullptr) return nullptr;
    if (size->kind != Operand::Kind::integer ||
        !(size->bits == 16 || (instruction.has(Mod::ca) && (size->bits == 4 || size->bits == 8)))) {
        operands_.fail("cp.async.ca copies 4, 8 or 16 bytes, cp.async.cg 16");
        return nullptr;
    }
    CopyForm form;
    form.to = address_form(*to, instruction.space(0));
    form.from = address_form(*from, instruction.space(1));
    decoded.width = static_cast<std::uint8_t>(size->bits);
    const std::size_t count = instruction.operands.size() - (instruction.has(Mod::l2_cache_hint) ? 1 : 0);
    if (count > 3) {
        const Operand& extra = instruction.operands[3];
        const bool predicate =
            extra.kind == Operand::Kind::reg && function_.registers[extra.reg].type == Type::pred;
        if (predicate) {
            form.ignore = operands_.predicate(extra);
            form.ignore_flip = extra.negated ? all_lanes : 0;
        } else {
            form.size = operands_.source(extra, Type::u32);
        }
    }
    decoded.target = static_cast<std::uint32_t>(context_.program.tables.copies.size());
    context_.program.tables.copies.push_back(form);
    return executor(instruction);
}

// [to], [from], size {, [mbarrier]} {, cache policy}
Exec FunctionDecoder::decode_bulk_copy(const Instruction& instruction, Decoded& decoded) {
    const Operand* to = operands_.at(instruction, 0);
    const Operand* from = operands_.at(instruction, 1);
    const Operand* size = operands_.at(instruction, 2);
    if (to == nullptr || from == nullptr || size == nullptr) return nullptr;
    if (instruction.has(Mod::multicast_cluster) || instruction.has(Mod::cp_mask) ||
        instruction.has(Mod::ignore_oob))
        return nullptr;
    CopyForm form;
    form.to = address_form(*to, instruction.space(0));
    form.from = address_form(*from, instruction.space(1));
    form.size = operands_.source(*size, Type::u32);
    if (!instruction.has(Mod::bulk_group)) {
        const Operand* barrier = operands_.at(instruction, 3);
        if (barrier == nullptr) return nullptr;
        form.barrier = address_form(*barrier, ptx::Space::shared);
    }
    decoded.target = static_cast<std::uint32_t>(context_.program.tables.copies.size());
    context_.program.tables.copies.push_back(form);
    return executor(instruction);
}

Exec FunctionDecoder::decode_group_wait(const Instruction& instruction, Decoded& decoded) {
    const Operand* keep = operands_.at(instruction, 0);
    if (keep == nullptr || keep->kind != Operand::Kind::integer || keep->bits > 0xffffffff) return nullptr;
    decoded.imm = static_cast<std::int64_t>(keep->bits);
    return executor(instruction);
}

Exec FunctionDecoder::decode_mbarrier(const Instruction& instruction, Decoded& decoded) {
    const unsigned flags = ptx::info(instruction.op).flags;
    const bool waits = (flags & ptx::op_flag::tests) != 0, result = (flags & ptx::op_flag::writes) != 0;
    const std::size_t at = result ? 1 : 0;
    if (result) decoded.dst = operands_.destination(instruction.operands[0], waits ? Type::pred : Type::b64);
    if (waits && decoded.dst == no_ref) return nullptr;
    const Operand* address = operands_.at(instruction, at);
    if (address == nullptr || place_address(*address, instruction.space(), decoded) != nullptr)
        return nullptr;
    if (at + 1 < instruction.operands.size())
        decoded.b = operands_.source(instruction.operands[at + 1],
                                     waits && !instruction.has(Mod::parity) ? Type::b64 : Type::u32);
    decoded.mode = arrival_mode_of(instruction);
    return executor(instruction);
}

// [mbarrier]
Exec FunctionDecoder::decode_copy_arrival(const Instruction& instruction, Decoded& decoded) {
    const Operand* address = operands_.at(instruction, 0);
    const bool placed =
        address != nullptr && place_address(*address, instruction.space(), decoded) == nullptr;
    return placed ? executor(instruction) : nullptr;
}

Exec FunctionDecoder::decode_pending_count(const Instruction& instruction, Decoded& decoded) {
    if (operands_.at(instruction, 1) == nullptr) return nullptr;
    decoded.dst = operands_.destination(instruction.operands[0], Type::u32);
    decoded.a = operands_.source(instruction.operands[1], Type::b64);
    return decoded.dst == no_ref ? nullptr : executor(instruction);
}

}  // namespace lanescope::simt
