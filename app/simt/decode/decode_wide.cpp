// Registers of 128 bits, which are two rows of 8-byte lanes; accesses of 256 bits, which are done as two
// halves; vector atomics.
#include <algorithm>

#include "simt/decode/function_decoder.h"
#include "simt/exec/executors.h"
#include "simt/lanewise/selector.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Operand;
using ptx::Type;

// Half of a b128 register, or an element of a vector of two b64 registers.
Ref FunctionDecoder::half_of(const Operand& operand, unsigned half, bool writes) {
    if (operand.kind == Operand::Kind::vector) {
        if (operand.elements.size() != 2) return operands_.fail("128 bits are two elements of 64 bits");
        const Operand& element = operand.elements[half];
        return writes ? operands_.destination(element, Type::b64) : operands_.source(element, Type::b64);
    }
    if (operand.kind != Operand::Kind::reg) return operands_.fail("a register of 128 bits is expected");
    const Ref ref = operands_.source(operand, Type::b128);
    return ref == no_ref ? no_ref : ref + half * row8_bytes;
}

Exec FunctionDecoder::decode_move_b128(const Operand& to, const Operand& from, Decoded& decoded) {
    decoded.dst = half_of(to, 0, true);
    decoded.e = half_of(to, 1, true);
    decoded.a = half_of(from, 0, false);
    decoded.b = half_of(from, 1, false);
    return move_b128_exec();
}

namespace {

Instruction with_type(const Instruction& instruction, Type type) {
    Instruction made = instruction;
    for (ptx::Suffix& suffix : made.suffixes)
        if (suffix.kind == ptx::Suffix::Kind::type) suffix.value = static_cast<std::uint16_t>(type);
    return made;
}

bool synchronises(const Instruction& instruction) {
    return instruction.has(Mod::volatile_) || instruction.has(Mod::relaxed) ||
           instruction.has(Mod::acquire) || instruction.has(Mod::mmio);
}

}  // namespace

Exec FunctionDecoder::decode_b128(const Instruction& instruction, const Operand& value,
                                  const Operand& address, Decoded& decoded) {
    const bool loads = instruction.op != ptx::Op::st;
    if (instruction.vector_length() != 1) return nullptr;
    decoded.dst = half_of(value, 0, loads);
    decoded.b = half_of(value, 1, loads);
    decoded.count = 2;
    decoded.width = 16;
    decoded.synchronises = synchronises(instruction);
    const Instruction pair = with_type(instruction, Type::b64);
    const Slot* slot = place_address(address, instruction.space(), decoded);
    if (slot != nullptr) {
        decoded.target = slot->stride;
        if (!fits_slot(decoded, *slot)) return nullptr;
        return loads ? selector().slot_load(pair, true) : selector().slot_store(pair, true);
    }
    traced_ = loads ? selector().load(pair, true, false, true) : selector().store(pair, true, true);
    return loads ? selector().load(pair, true, false, false) : selector().store(pair, true, false);
}

Decoded FunctionDecoder::half_access(const Instruction& instruction, const Operand& value,
                                     const Operand& address, unsigned half) {
    const bool loads = instruction.op != ptx::Op::st;
    const auto first = static_cast<std::ptrdiff_t>(value.elements.size() / 2 * half);
    Operand elements = value;
    elements.elements.assign(
        value.elements.begin() + first,
        value.elements.begin() + first + static_cast<std::ptrdiff_t>(value.elements.size() / 2));
    Decoded piece;
    bool wide = false;
    place_elements(elements, instruction.type(), loads, piece, wide);
    if (place_address(address, instruction.space(), piece) != nullptr)
        operands_.fail("parameters of functions are not accessed 256 bits at a time");
    piece.imm = wrapping_sum(piece.imm, std::uint64_t{half} * 16);
    piece.width = 16;
    piece.synchronises = synchronises(instruction);
    piece.target = current_pc_;
    piece.guard = wide ? 1 : 0;  // for decode_halves; pieces have no guard of their own
    return piece;
}

Exec FunctionDecoder::decode_halves(const Instruction& instruction, const Operand& value,
                                    const Operand& address, Decoded& decoded) {
    const bool loads = instruction.op != ptx::Op::st;
    if (instruction.vector_length() != value.elements.size()) return nullptr;
    Decoded halves[2] = {half_access(instruction, value, address, 0),
                         half_access(instruction, value, address, 1)};
    // The half that overwrites the address comes last.
    const Decoded& first = halves[0];
    if (loads && (first.dst == first.a || first.b == first.a || first.c == first.a || first.e == first.a))
        std::swap(halves[0], halves[1]);
    std::vector<Decoded>& pieces = context_.program.tables.pieces;
    decoded.a = halves[0].a;
    decoded.imm = std::min(halves[0].imm, halves[1].imm);
    decoded.window = halves[0].window;
    decoded.narrow_address = halves[0].narrow_address;
    decoded.width = 32;
    decoded.target = static_cast<std::uint32_t>(pieces.size());
    for (const bool recorded : {false, true})
        for (Decoded piece : halves) {
            const bool wide = piece.guard != 0;
            piece.run = loads ? selector().load(instruction, wide, false, recorded)
                              : selector().store(instruction, wide, recorded);
            if (piece.run == nullptr) return nullptr;
            pieces.push_back(piece);
        }
    traced_ = halves_exec(true);
    return halves_exec(false);
}

// st.bulk [a], size, 0
Exec FunctionDecoder::decode_bulk_store(const Instruction& instruction, Decoded& decoded) {
    const Operand* value = operands_.at(instruction, 2);
    if (value == nullptr || value->kind != Operand::Kind::integer || value->bits != 0) return nullptr;
    if (place_address(instruction.operands[0], instruction.space(), decoded) != nullptr) return nullptr;
    bool wide = false;
    decoded.b = operands_.any_width(instruction.operands[1], Type::u64, wide);
    decoded.mode = wide ? 1 : 0;
    return executor(instruction);
}

// The table holds the destinations, then the operands.
Exec FunctionDecoder::decode_vector_atomic(const Instruction& instruction, Decoded& decoded) {
    const bool returns = instruction.op == ptx::Op::atom;
    const Operand* address = operands_.at(instruction, returns ? 1 : 0);
    const Operand* values = operands_.at(instruction, returns ? 2 : 1);
    if (address == nullptr || values == nullptr) return nullptr;
    const unsigned count = instruction.vector_length(), bytes = ptx::size_bytes(instruction.type());
    const Type type = bytes == 2 ? Type::b16 : Type::b32;
    std::vector<Ref> refs(count, no_ref);
    if (returns && instruction.operands[0].kind != Operand::Kind::discard)
        refs = register_list(instruction.operands[0], type, true);
    const std::vector<Ref> sources = register_list(*values, type, false);
    if (refs.size() != count || sources.size() != count || bytes * count > 16) return nullptr;
    if (place_address(*address, instruction.space(), decoded) != nullptr) return nullptr;
    refs.insert(refs.end(), sources.begin(), sources.end());
    decoded.count = static_cast<std::uint8_t>(count);
    decoded.width = static_cast<std::uint8_t>(bytes * count);
    decoded.synchronises = true;
    decoded.target = static_cast<std::uint32_t>(context_.program.tables.operands.size());
    context_.program.tables.operands.push_back(std::move(refs));
    return select_vector_atomic(instruction);
}

}  // namespace lanescope::simt
