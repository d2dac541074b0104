#include "simt/decode/function_decoder.h"

#include <utility>

#include "simt/exec/executors.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::Type;

namespace {

// The type of the i-th operand of an arithmetic instruction; operand 0 is the destination.
Type operand_type(const Instruction& instruction, std::size_t i) {
    const Type first = instruction.type(0);
    const bool wide_result = instruction.has(Mod::wide) && (i == 0 || i == 3);
    if (wide_result) return ptx::size_bytes(first) == 4 ? Type::b64 : Type::b32;
    switch (ptx::operand_role(instruction.op, i)) {
        case 'P':
        case 'p':
            return Type::pred;
        case 'D':
        case 'u':
            return Type::b32;
        case 'w':
            return Type::u64;
        case 's':
            return instruction.type(1);
        default:
            return first;
    }
}

// Predicates are masks, not rows of lanes.
bool works_on_predicates(Op op) {
    return op == Op::and_ || op == Op::or_ || op == Op::xor_ || op == Op::not_;
}

// Operands that opcodes.def makes optional but that this form needs.
bool has_all_operands(const Instruction& instruction) {
    const std::size_t count = instruction.operands.size();
    const Type to = instruction.type(0);
    switch (instruction.op) {
        case Op::set:
            return count == 4 ||
                   !(instruction.has(Mod::and_) || instruction.has(Mod::or_) || instruction.has(Mod::xor_));
        case Op::cvt: {
            const bool pair =
                to == Type::f16x2 || to == Type::bf16x2 || to == Type::e4m3x2 || to == Type::e5m2x2;
            return count == (pair && instruction.type(1) == Type::f32 ? 3u : 2u);
        }
        case Op::cvt_pack:
            return count >= 3 && (instruction.type(2) == Type::none || count == 4);
        default:
            return true;
    }
}

}  // namespace

// lop3.and and lop3.or: d|p, a, b, c, table, q
Exec FunctionDecoder::decode_logic_test(const Instruction& instruction, Decoded& decoded) {
    const Operand& table = instruction.operands[4];
    const Operand& predicate = instruction.operands[5];
    if (instruction.operands[0].kind != Operand::Kind::pair || table.kind != Operand::Kind::integer)
        return nullptr;
    destinations(instruction.operands[0], Type::b32, Type::pred, decoded);
    decoded.a = operands_.source(instruction.operands[1], Type::b32);
    decoded.b = operands_.source(instruction.operands[2], Type::b32);
    decoded.c = operands_.source(instruction.operands[3], Type::b32);
    decoded.f = operands_.predicate(predicate);
    decoded.count = predicate.negated ? 0 : 1;
    decoded.mode = static_cast<std::uint8_t>(table.bits);
    return executor(instruction);
}

Exec FunctionDecoder::decode_arithmetic(const Instruction& instruction, Decoded& decoded) {
    const std::size_t count = instruction.operands.size();
    if (instruction.type() == Type::pred && !works_on_predicates(instruction.op)) return nullptr;
    if (instruction.op == Op::lop3 && count == 6) return decode_logic_test(instruction, decoded);
    if (count < 2 || count > 5 || !has_all_operands(instruction)) return nullptr;
    decoded.dst = operands_.destination(instruction.operands[0], operand_type(instruction, 0));
    Ref* const sources[4] = {&decoded.a, &decoded.b, &decoded.c, &decoded.e};
    for (std::size_t i = 1; i < count; ++i) {
        const Operand& operand = instruction.operands[i];
        *sources[i - 1] = operands_.source(operand, operand_type(instruction, i));
        if (operand.kind == Operand::Kind::reg && operand.negated) decoded.mode |= combine::negated;
    }
    if (instruction.op == Op::set) {
        decoded.mode |= combine_mode(instruction);
        decoded.imm = instruction.type(0) == Type::f32      ? 0x3f800000
                      : instruction.type(0) == Type::f16    ? 0x3c00
                      : instruction.type(0) == Type::bf16   ? 0x3f80
                      : instruction.type(0) == Type::f16x2  ? 0x3c00
                      : instruction.type(0) == Type::bf16x2 ? 0x3f80
                                                            : 0xffffffff;
        if (ptx::size_bytes(instruction.type(0)) == 8) return nullptr;
    }
    if (instruction.op == Op::lop3) {
        if (instruction.operands[4 < count ? 4 : count - 1].kind != Operand::Kind::integer) return nullptr;
        decoded.mode = static_cast<std::uint8_t>(instruction.operands[4 < count ? 4 : count - 1].bits);
    }
    return executor(instruction);
}

// Registers may be wider than the types; rows of 8-byte lanes then go through scratch rows.
Exec FunctionDecoder::decode_convert(const Instruction& instruction, Decoded& decoded) {
    const Operand* to = operands_.at(instruction, 0);
    const Operand* from = operands_.at(instruction, 1);
    if (to == nullptr || from == nullptr || instruction.operands.size() > 2 || to->kind != Operand::Kind::reg)
        return decode_arithmetic(instruction, decoded);
    bool wide_to = false, wide_from = false;
    decoded.dst = operands_.any_width(*to, instruction.type(0), wide_to);
    decoded.a = operands_.any_width(*from, instruction.type(1), wide_from);
    const bool extend = wide_to && !is_wide(instruction.type(0)),
               narrow = wide_from && !is_wide(instruction.type(1));
    const Exec exec = select_executor(instruction, false);
    if ((!extend && !narrow) || exec == nullptr) return exec;
    if (narrow) decoded.e = std::exchange(decoded.a, frame_.scratch[0]);
    if (extend) decoded.f = std::exchange(decoded.dst, frame_.scratch[1]);
    decoded.mode = ptx::is_signed(instruction.type(0)) ? 1 : 0;
    decoded.target = static_cast<std::uint32_t>(context_.program.adapted.size());
    context_.program.adapted.push_back(exec);
    return wide_conversion_exec();
}

std::uint8_t FunctionDecoder::combine_mode(const Instruction& instruction) {
    if (instruction.has(Mod::and_)) return combine::conjunction;
    if (instruction.has(Mod::or_)) return combine::disjunction;
    return instruction.has(Mod::xor_) ? combine::difference : combine::none;
}

// "p|q" or one register; the second may be missing.
void FunctionDecoder::destinations(const Operand& operand, Type first, Type second, Decoded& decoded) {
    if (operand.kind != Operand::Kind::pair) {
        decoded.dst = operands_.destination(operand, first);
        return;
    }
    decoded.dst = operands_.destination(operand.elements[0], first);
    decoded.e = operands_.destination(operand.elements[1], second);
}

Exec FunctionDecoder::decode_setp(const Instruction& instruction, Decoded& decoded) {
    const std::size_t count = instruction.operands.size();
    if (count < 3) return nullptr;
    destinations(instruction.operands[0], Type::pred, Type::pred, decoded);
    decoded.a = operands_.source(instruction.operands[1], instruction.type());
    decoded.b = operands_.source(instruction.operands[2], instruction.type());
    if (count == 4) {
        decoded.mode = combine_mode(instruction);
        decoded.c = operands_.predicate(instruction.operands[3]);
        if (instruction.operands[3].negated) decoded.mode |= combine::negated;
    }
    return executor(instruction);
}

Exec FunctionDecoder::decode_move(const Instruction& instruction, Decoded& decoded) {
    const Type type = instruction.type();
    const Operand* to = operands_.at(instruction, 0);
    const Operand* from = operands_.at(instruction, 1);
    if (to == nullptr || from == nullptr) return nullptr;
    if (type == Type::b128) return decode_move_b128(*to, *from, decoded);
    if (to->kind == Operand::Kind::vector) {
        decoded.a = operands_.source(*from, type);
        return unpacked(instruction, *to, decoded);
    }
    decoded.dst = operands_.destination(*to, type);
    if (decoded.dst == no_ref) return nullptr;
    if (from->kind == Operand::Kind::vector) return packed(instruction, *from, decoded);
    if (from->kind == Operand::Kind::symbol) {
        const OperandDecoder::Address address = operands_.symbol(*from);
        if (address.slot != nullptr) operands_.fail("addresses of a function's parameters are not supported");
        decoded.a = address.row;
        decoded.imm = address.offset;
    } else {
        decoded.a = operands_.source(*from, type);
    }
    return executor(instruction);
}

Exec FunctionDecoder::packed(const Instruction& instruction, const Operand& from, Decoded& decoded) {
    Ref* const refs[4] = {&decoded.a, &decoded.b, &decoded.c, &decoded.e};
    if (from.elements.size() > 4) return nullptr;
    for (std::size_t k = 0; k < from.elements.size(); ++k)
        *refs[k] = operands_.source(from.elements[k], Type::b32);
    decoded.count = static_cast<std::uint8_t>(from.elements.size());
    return executor(instruction);
}

Exec FunctionDecoder::unpacked(const Instruction& instruction, const Operand& to, Decoded& decoded) {
    Ref* const refs[4] = {&decoded.dst, &decoded.b, &decoded.c, &decoded.e};
    if (to.elements.size() > 4) return nullptr;
    for (std::size_t k = 0; k < to.elements.size(); ++k)
        *refs[k] = operands_.destination(to.elements[k], Type::b32);
    decoded.count = static_cast<std::uint8_t>(to.elements.size());
    return executor(instruction);
}

Exec FunctionDecoder::decode_cvta(const Instruction& instruction, Decoded& decoded) {
    const Operand* to = operands_.at(instruction, 0);
    const Operand* from = operands_.at(instruction, 1);
    if (to == nullptr || from == nullptr) return nullptr;
    const std::uint64_t start = generic_offset(window_of_space(instruction.space()));
    decoded.dst = operands_.destination(*to, Type::u64);
    if (decoded.dst == no_ref) return nullptr;
    if (from->kind == Operand::Kind::symbol) {
        const OperandDecoder::Address address = operands_.symbol(*from);
        if (address.slot != nullptr) operands_.fail("addresses of a function's parameters are not supported");
        decoded.a = address.row;
        decoded.imm = address.offset;
    } else {
        decoded.a = operands_.source(*from, Type::u64);
    }
    decoded.imm = wrapping_sum(decoded.imm, instruction.has(Mod::to) ? 0 - start : start);
    return executor(instruction);
}

}  // namespace lanescope::simt
