#include "simt/decode/function_decoder.h"
#include "simt/exec/executors.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::Type;

std::vector<Ref> FunctionDecoder::register_list(const Operand& operand, Type type, bool writes) {
    std::vector<Ref> refs;
    auto add = [&](const Operand& element) {
        refs.push_back(writes ? operands_.destination(element, type) : operands_.source(element, type));
    };
    if (operand.kind == Operand::Kind::vector)
        for (const Operand& element : operand.elements)
            add(element);
    else
        add(operand);
    return refs;
}

namespace {

Type register_type(Type element) {
    return element == Type::f64 ? Type::f64 : Type::b32;
}

bool integers(Type type) {
    return type == Type::s8 || type == Type::u8 || type == Type::s4 || type == Type::u4 || type == Type::b1;
}

// The types of D, A, B and C; of wmma.mma on f16 only those of D and C are written.
void set_types(const Instruction& instruction, MatrixForm& form) {
    const bool halves = instruction.op == Op::wmma_mma && instruction.type(2) == Type::none;
    form.d = instruction.type(0);
    form.a = halves ? Type::f16 : instruction.type(1);
    form.b = halves ? Type::f16 : instruction.type(2);
    form.c = halves ? instruction.type(1) : instruction.type(3);
}

bool types_fit(const MatrixForm& form) {
    if (form.d == Type::s32) return form.c == Type::s32 && integers(form.a) && integers(form.b);
    if (form.d == Type::f64) return form.a == Type::f64 && form.b == Type::f64 && form.c == Type::f64;
    const bool sums =
        (form.d == Type::f32 || form.d == Type::f16) && (form.c == Type::f32 || form.c == Type::f16);
    const bool eight =
        (form.a == Type::e4m3 || form.a == Type::e5m2) && (form.b == Type::e4m3 || form.b == Type::e5m2);
    return sums && (eight || (form.a == form.b &&
                              (form.a == Type::f16 || form.a == Type::bf16 || form.a == Type::tf32)));
}

// Registers of wmma fragments may repeat the elements.
bool fits(const MatrixForm& form, MatrixRole role, Type type, std::size_t registers, bool repeats) {
    const unsigned needed = FragmentLayout{form.shape, role, element_bits(type)}.registers();
    return needed != 0 && (repeats ? registers % needed == 0 : registers == needed);
}

}  // namespace

Exec FunctionDecoder::decode_mma(const Instruction& instruction, Decoded& decoded) {
    const bool wmma = instruction.op == Op::wmma_mma;
    if (instruction.operands.size() != 4) return nullptr;
    MatrixForm form;
    form.shape = shape_of(instruction);
    set_types(instruction, form);
    if (form.shape.m == 0 || !types_fit(form) || instruction.has(Mod::block_scale) ||
        instruction.has(Mod::rz) || instruction.has(Mod::rm) || instruction.has(Mod::rp))
        return nullptr;
    form.saturates = instruction.has(Mod::satfinite);
    if (form.a == Type::b1)
        form.sum = instruction.has(Mod::and_) ? MatrixForm::Sum::and_popc : MatrixForm::Sum::xor_popc;
    if (form.saturates && form.d != Type::s32) return nullptr;
    form.d_refs = register_list(instruction.operands[0], register_type(form.d), true);
    form.a_refs = register_list(instruction.operands[1], register_type(form.a), false);
    form.b_refs = register_list(instruction.operands[2], register_type(form.b), false);
    form.c_refs = register_list(instruction.operands[3], register_type(form.c), false);
    for (const Ref ref : form.d_refs)
        if (ref == no_ref) return nullptr;
    if (!fits(form, MatrixRole::a, form.a, form.a_refs.size(), wmma) ||
        !fits(form, MatrixRole::b, form.b, form.b_refs.size(), wmma) ||
        !fits(form, MatrixRole::c, form.c, form.c_refs.size(), false) ||
        !fits(form, MatrixRole::c, form.d, form.d_refs.size(), false))
        return nullptr;
    decoded.target = static_cast<std::uint32_t>(context_.program.tables.matrices.size());
    context_.program.tables.matrices.push_back(std::move(form));
    return executor(instruction);
}

// wmma.load registers, [matrix] {, stride};  wmma.store [matrix], registers {, stride}
Exec FunctionDecoder::decode_fragment(const Instruction& instruction, Decoded& decoded) {
    const bool loads = instruction.op == Op::wmma_load;
    const Operand* address = operands_.at(instruction, loads ? 1 : 0);
    const Operand* registers = operands_.at(instruction, loads ? 0 : 1);
    if (address == nullptr || registers == nullptr) return nullptr;
    MatrixForm form;
    form.shape = shape_of(instruction);
    form.role = !loads || instruction.has(Mod::c) ? MatrixRole::c
                : instruction.has(Mod::a)         ? MatrixRole::a
                                                  : MatrixRole::b;
    form.row_major = instruction.has(Mod::row);
    const Type type = instruction.type();
    form.a = form.b = form.c = form.d = type;
    if (form.shape.m == 0 || element_bits(type) == 0) return nullptr;
    (loads ? form.d_refs : form.c_refs) = register_list(*registers, register_type(type), loads);
    const std::vector<Ref>& refs = loads ? form.d_refs : form.c_refs;
    for (const Ref ref : refs)
        if (ref == no_ref) return nullptr;
    if (element_bits(type) < 8 && form.row_major == (form.role == MatrixRole::b)) return nullptr;
    if (!fits(form, form.role, type, refs.size(), form.role != MatrixRole::c)) return nullptr;
    if (place_address(*address, instruction.space(), decoded) != nullptr) return nullptr;
    if (instruction.operands.size() > 2) form.stride = operands_.source(instruction.operands[2], Type::u32);
    decoded.target = static_cast<std::uint32_t>(context_.program.tables.matrices.size());
    context_.program.tables.matrices.push_back(std::move(form));
    return executor(instruction);
}

Exec FunctionDecoder::decode_matrix_rows(const Instruction& instruction, Decoded& decoded) {
    if (instruction.operands.size() != 2) return nullptr;
    const bool loads = instruction.op == Op::ldmatrix;
    const std::size_t count = instruction.has(Mod::x1)   ? 1
                              : instruction.has(Mod::x2) ? 2
                              : instruction.has(Mod::x4) ? 4
                                                         : 0;
    std::vector<Ref> refs = register_list(instruction.operands[loads ? 0 : 1], Type::b32, loads);
    if (refs.size() != count) return nullptr;
    if (place_address(instruction.operands[loads ? 1 : 0], instruction.space(), decoded) != nullptr)
        return nullptr;
    decoded.width = 16;
    decoded.target = static_cast<std::uint32_t>(context_.program.tables.operands.size());
    context_.program.tables.operands.push_back(std::move(refs));
    return executor(instruction);
}

Exec FunctionDecoder::decode_transpose(const Instruction& instruction, Decoded& decoded) {
    if (instruction.operands.size() != 2) return nullptr;
    decoded.dst = operands_.destination(instruction.operands[0], Type::b32);
    decoded.a = operands_.source(instruction.operands[1], Type::b32);
    return decoded.dst == no_ref ? nullptr : executor(instruction);
}

}  // namespace lanescope::simt
