#include "simt/decode/function_decoder.h"

#include "simt/exec/executors.h"
#include "simt/lanewise/selector.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::Type;

Window window_of_space(ptx::Space space) {
    static constexpr Window windows[] = {
#define LANESCOPE_SPACE(name, text, window) Window::window,
#include "ptx/opcodes.def"
    };
    return windows[static_cast<std::size_t>(space)];
}

std::uint64_t generic_offset(Window window) {
    return window == Window::global ? 0 : window_start(window);
}

void FunctionDecoder::place_elements(const Operand& operand, Type type, bool writes, Decoded& decoded,
                                     bool& wide) {
    Ref* const refs[4] = {&decoded.dst, &decoded.b, &decoded.c, &decoded.e};
    const bool vector = operand.kind == Operand::Kind::vector;
    const std::size_t count = vector ? operand.elements.size() : 1;
    if (count > 4) {
        operands_.fail("vectors of more than four elements are not supported");
        return;
    }
    bool known = false;
    wide = is_wide(type);
    for (std::size_t k = 0; k < count; ++k) {
        const Operand& element = vector ? operand.elements[k] : operand;
        if (element.kind == Operand::Kind::discard) {
            if (!writes) operands_.fail("a value is expected");
            continue;
        }
        if (writes && element.kind != Operand::Kind::reg)
            operands_.fail("the destination must be a register");
        bool this_wide = false;
        *refs[k] = operands_.any_width(element, type, this_wide);
        if (known && this_wide != wide) operands_.fail("elements of different widths are not supported");
        wide = this_wide;
        known = true;
    }
    decoded.count = static_cast<std::uint8_t>(count);
}

// The address operand; `slot` is set when it names a parameter of this frame.
const Slot* FunctionDecoder::place_address(const Operand& operand, ptx::Space space, Decoded& decoded) {
    decoded.window = window_of_space(space);
    if (space != ptx::Space::generic && decoded.window == Window::none)
        operands_.fail("this state space is not supported");
    decoded.imm =
        wrapping_sum(operand.offset, decoded.window == Window::none ? 0 : generic_offset(decoded.window));
    if (operand.kind != Operand::Kind::address) {
        operands_.fail("an address is expected");
        return nullptr;
    }
    if (operand.reg != ptx::no_index) {
        bool wide = false;
        decoded.a = operands_.any_width(register_of(operand), Type::u32, wide);
        decoded.narrow_address = !wide;
        return nullptr;
    }
    if (operand.name.empty()) {
        decoded.a = context_.pool.wide(0);
        return nullptr;
    }
    const OperandDecoder::Address address = operands_.symbol(operand);
    if (address.slot != nullptr) {
        decoded.a = address.slot->ref;
        decoded.imm = address.offset;
        return address.slot;
    }
    // A parameter whose address is taken lies in local memory.
    if (decoded.window == Window::none || address.window == Window::local) decoded.window = address.window;
    decoded.a = address.row;
    decoded.imm = wrapping_sum(address.offset, generic_offset(decoded.window));
    return nullptr;
}

Operand FunctionDecoder::register_of(const Operand& address) {
    Operand reg;
    reg.kind = Operand::Kind::reg;
    reg.reg = address.reg;
    return reg;
}

void FunctionDecoder::set_width(const Instruction& instruction, Decoded& decoded) {
    decoded.width = static_cast<std::uint8_t>(ptx::size_bytes(instruction.type()) * decoded.count);
    if (decoded.width == 0 || decoded.width > 16 || (decoded.width & (decoded.width - 1)) != 0)
        operands_.fail("this access is not supported");
    if (instruction.vector_length() != decoded.count) operands_.fail("the vector's length does not fit");
    decoded.synchronises = instruction.has(Mod::volatile_) || instruction.has(Mod::relaxed) ||
                           instruction.has(Mod::acquire) || instruction.has(Mod::mmio);
}

bool FunctionDecoder::fits_slot(const Decoded& decoded, const Slot& slot) {
    const auto offset = static_cast<std::uint64_t>(decoded.imm);
    if (offset <= slot.size_bytes && decoded.width <= slot.size_bytes - offset) return true;
    operands_.fail("the access lies outside of the parameter");
    return false;
}

Exec FunctionDecoder::decode_load(const Instruction& instruction, Decoded& decoded) {
    const Operand* value = operands_.at(instruction, 0);
    const Operand* address = operands_.at(instruction, 1);
    if (value == nullptr || address == nullptr) return nullptr;
    if (instruction.type() == Type::b128) return decode_b128(instruction, *value, *address, decoded);
    if (value->elements.size() * ptx::size_bytes(instruction.type()) == 32)
        return decode_halves(instruction, *value, *address, decoded);
    bool wide = false;
    place_elements(*value, instruction.type(), true, decoded, wide);
    const Slot* slot = place_address(*address, instruction.space(), decoded);
    set_width(instruction, decoded);
    if (slot != nullptr) {
        decoded.target = slot->stride;
        return fits_slot(decoded, *slot) ? selector().slot_load(instruction, wide) : nullptr;
    }
    const std::uint32_t base = ref_base(decoded.a);
    const bool uniform = decoded.a != no_ref && (base == static_cast<std::uint32_t>(Base::constants) ||
                                                 base == static_cast<std::uint32_t>(Base::launch));
    traced_ = selector().load(instruction, wide, uniform, true);
    return selector().load(instruction, wide, uniform, false);
}

Exec FunctionDecoder::decode_store(const Instruction& instruction, Decoded& decoded) {
    const Operand* address = operands_.at(instruction, 0);
    const Operand* value = operands_.at(instruction, 1);
    if (value == nullptr || address == nullptr) return nullptr;
    if (instruction.type() == Type::b128) return decode_b128(instruction, *value, *address, decoded);
    if (value->elements.size() * ptx::size_bytes(instruction.type()) == 32)
        return decode_halves(instruction, *value, *address, decoded);
    bool wide = false;
    place_elements(*value, instruction.type(), false, decoded, wide);
    const Slot* slot = place_address(*address, instruction.space(), decoded);
    set_width(instruction, decoded);
    if (slot != nullptr) {
        decoded.target = slot->stride;
        return fits_slot(decoded, *slot) ? selector().slot_store(instruction, wide) : nullptr;
    }
    traced_ = selector().store(instruction, wide, true);
    return selector().store(instruction, wide, false);
}

Exec FunctionDecoder::decode_atomic(const Instruction& instruction, Decoded& decoded) {
    const std::size_t first = instruction.op == Op::atom ? 1 : 0;
    const Operand* address = operands_.at(instruction, first);
    const Operand* b = operands_.at(instruction, first + 1);
    if (address == nullptr || b == nullptr) return nullptr;
    const Type type = instruction.type();
    if (instruction.vector_length() != 1) return decode_vector_atomic(instruction, decoded);
    if (first == 1) decoded.dst = operands_.destination(instruction.operands[0], type);
    if (place_address(*address, instruction.space(), decoded) != nullptr) return nullptr;
    decoded.b = operands_.source(*b, type);
    if (instruction.has(Mod::cas)) {
        const Operand* c = operands_.at(instruction, first + 2);
        if (c == nullptr) return nullptr;
        decoded.c = operands_.source(*c, type);
    }
    set_width(instruction, decoded);
    decoded.synchronises = true;
    return executor(instruction);
}

}  // namespace lanescope::simt
