#include "simt/decode/function_decoder.h"

#include "simt/exec/executors.h"
#include "simt/inspect/names.h"
#include "simt/state/control.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::Type;

std::uint32_t FunctionDecoder::target_pc(std::uint32_t label) const {
    return first_pc_ + function_.labels[label].instruction;
}

Exec FunctionDecoder::decode_branch(const Instruction& instruction, Decoded& decoded) {
    const Operand* label = operands_.at(instruction, 0);
    if (label == nullptr || label->label == ptx::no_index) return nullptr;
    decoded.target = target_pc(label->label);
    if (decoded.target <= current_pc_) decoded.flags |= decoded_flag::back_edge;
    return executor(instruction);
}

Exec FunctionDecoder::decode_branch_table(const Instruction& instruction, Decoded& decoded) {
    const Operand* index = operands_.at(instruction, 0);
    const Operand* name = operands_.at(instruction, 1);
    if (index == nullptr || name == nullptr || name->refers.kind != ptx::Reference::Kind::targets)
        return nullptr;
    decoded.a = operands_.source(*index, Type::u32);
    std::vector<std::uint32_t> table;
    for (const std::uint32_t label : function_.branch_targets[name->refers.index].labels)
        table.push_back(target_pc(label));
    decoded.target = static_cast<std::uint32_t>(context_.program.branch_tables.size());
    context_.program.branch_tables.push_back(std::move(table));
    return executor(instruction);
}

// Results and arguments: parameter variables, registers, immediates.
std::vector<Slot> FunctionDecoder::slots_of(const Operand& list) {
    std::vector<Slot> slots;
    for (const Operand& element : list.elements) {
        if (element.kind == Operand::Kind::symbol) {
            const OperandDecoder::Address address = operands_.symbol(element);
            if (address.slot == nullptr)
                operands_.fail("'" + element.name + "' is not a parameter");
            else
                slots.push_back(*address.slot);
        } else if (element.kind == Operand::Kind::discard) {
            slots.push_back({});
            slots.back().ref = no_ref;
        } else {
            bool wide = false;
            const Ref ref = operands_.any_width(element, Type::b32, wide);
            slots.push_back({ref, wide ? 8u : 4u, wide ? 8u : 4u});
        }
    }
    return slots;
}

Exec FunctionDecoder::decode_call(const Instruction& instruction, Decoded& decoded) {
    CallSite site;
    std::size_t at = 0;
    if (const Operand* first = operands_.at(instruction, 0);
        first != nullptr && first->kind == Operand::Kind::list)
        site.results = slots_of(instruction.operands[at++]);
    const Operand* callee = operands_.at(instruction, at++);
    if (callee == nullptr) return nullptr;
    if (at < instruction.operands.size() && instruction.operands[at].kind == Operand::Kind::list)
        site.arguments = slots_of(instruction.operands[at]);
    Builtin builtin = Builtin::none;
    if (callee->kind == Operand::Kind::reg) {
        site.address = operands_.source(*callee, Type::u64);
        code_.calls_indirectly = true;
    } else if (callee->refers.kind == ptx::Reference::Kind::function) {
        site.callee = callee->refers.index;
        const ptx::Function& function = context_.module.functions[site.callee];
        builtin = builtin_of(function);
        if (!function.has_body && builtin == Builtin::none)
            operands_.fail("function '" + plain_name(user_name(function.name)) + "' has no code here");
        decoded.width = stored_bytes(builtin);
        code_.callees.push_back(site.callee);
    } else {
        operands_.fail("'" + callee->name + "' is not a function");
    }
    decoded.target = static_cast<std::uint32_t>(context_.program.calls.size());
    context_.program.calls.push_back(std::move(site));
    if (builtin == Builtin::none) return executor(instruction);
    traced_ = select_builtin(builtin, true);
    return select_builtin(builtin, false);
}

Exec FunctionDecoder::decode_barrier(const Instruction& instruction, Decoded& decoded) {
    const bool reduces = instruction.op == Op::bar_red || instruction.op == Op::barrier_red;
    const std::size_t count = instruction.operands.size();
    std::size_t at = 0;
    if (reduces) {
        if (count < 3) return nullptr;
        decoded.dst = operands_.destination(instruction.operands[at++],
                                            instruction.has(Mod::popc) ? Type::u32 : Type::pred);
        const Operand& value = instruction.operands[count - 1];
        decoded.c = operands_.predicate(value);
        decoded.count = value.negated ? 0 : 1;
        if (decoded.dst == no_ref) return nullptr;
    }
    const Operand* number = operands_.at(instruction, at++);
    if (number == nullptr) return nullptr;
    decoded.a = operands_.source(*number, Type::u32);
    if (at < count - (reduces ? 1 : 0)) decoded.b = operands_.source(instruction.operands[at], Type::u32);
    decoded.mode = barrier_mode_of(instruction);
    return executor(instruction);
}

Exec FunctionDecoder::decode_warp(const Instruction& instruction, Decoded& decoded) {
    const std::size_t count = instruction.operands.size();
    std::size_t at = 0;
    const bool sync =
        instruction.has(Mod::sync) || instruction.op == Op::bar_warp_sync || instruction.op == Op::elect;
    const bool ballot = instruction.op != Op::vote || instruction.has(Mod::ballot);
    if (instruction.op != Op::bar_warp_sync) {
        if (count == 0) return nullptr;
        destinations(instruction.operands[at++], ballot ? Type::b32 : Type::pred, Type::pred, decoded);
        if (decoded.dst == no_ref && instruction.op != Op::shfl && instruction.op != Op::match &&
            instruction.op != Op::elect)
            return nullptr;
    }
    const std::size_t values = count - at - (sync && count > at ? 1 : 0);
    Ref* const refs[3] = {&decoded.a, &decoded.b, &decoded.c};
    for (std::size_t k = 0; k < values && k < 3; ++k, ++at) {
        const Operand& operand = instruction.operands[at];
        const Type type = instruction.op == Op::vote    ? Type::pred
                          : instruction.op == Op::match ? instruction.type()
                                                        : Type::b32;
        *refs[k] = operands_.source(operand, type);
        if (operand.negated && instruction.op == Op::vote) decoded.count = 0;
    }
    const std::size_t needed =
        instruction.op == Op::shfl                                                                 ? 3
        : instruction.op == Op::vote || instruction.op == Op::match || instruction.op == Op::redux ? 1
                                                                                                   : 0;
    if (values != needed) return nullptr;
    if (sync) {
        const Operand* members = operands_.at(instruction, at);
        if (members != nullptr) decoded.f = operands_.source(*members, Type::b32);
    }
    return executor(instruction);
}

}  // namespace lanescope::simt
