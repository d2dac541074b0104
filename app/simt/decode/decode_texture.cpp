// tex, tld4, suld and sust on texture and surface objects.
#include "simt/decode/function_decoder.h"
#include "simt/exec/executors.h"

namespace lanescope::simt {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::Type;

namespace {

unsigned dimensions(const TextureForm& form) {
    switch (form.shape) {
        case Image::Shape::memory:
        case Image::Shape::line:
            return 1;
        case Image::Shape::plane:
            return 2;
        default:
            return 3;
    }
}

}  // namespace

bool FunctionDecoder::place_shape(const Instruction& instruction, TextureForm& form) {
    using Shape = Image::Shape;
    constexpr struct {
        Mod mod;
        Shape shape;
        bool layered;
    } known[] = {{Mod::dim_1d, Shape::line, false},  {Mod::dim_2d, Shape::plane, false},
                 {Mod::dim_3d, Shape::solid, false}, {Mod::dim_a1d, Shape::line, true},
                 {Mod::dim_a2d, Shape::plane, true}, {Mod::dim_cube, Shape::cube, false},
                 {Mod::dim_acube, Shape::cube, true}};
    for (const auto& each : known)
        if (instruction.has(each.mod)) {
            form.shape = each.shape;
            form.layered = each.layered;
            return true;
        }
    operands_.fail("textures with several samples are not supported");
    return false;
}

// [object, {layer, x, y, z}]; 3-D, layers of planes and cubes have one more element than they need.
bool FunctionDecoder::place_coordinates(const Operand& address, TextureForm& form) {
    if (address.reg == ptx::no_index) {
        operands_.fail(
            "texture and surface references are not supported, because CUDA no longer has them; "
            "use a texture or surface object");
        return false;
    }
    if (address.elements.size() != 1) {
        operands_.fail("a separate sampler is not supported");
        return false;
    }
    form.handle = operands_.source(register_of(address), Type::u64);
    const Operand& list = address.elements.front();
    const std::size_t given = list.kind == Operand::Kind::vector ? list.elements.size() : 1;
    const std::size_t first = form.layered ? 1 : 0, needed = first + dimensions(form);
    if (given < needed) {
        operands_.fail("a coordinate is missing");
        return false;
    }
    const auto element = [&](std::size_t k) -> const Operand& {
        return list.kind == Operand::Kind::vector ? list.elements[k] : list;
    };
    if (form.layered) form.layer = operands_.source(element(0), Type::u32);
    for (std::size_t k = first; k < needed; ++k)
        form.at[k - first] = operands_.source(element(k), form.by_element ? Type::s32 : Type::f32);
    return true;
}

// A level, or derivatives that choose one, have nothing to choose: textures with several levels cannot be
// made.
bool FunctionDecoder::place_sample(const Instruction& instruction, TextureForm& form) {
    const Operand* results = operands_.at(instruction, 0);
    const Operand* address = operands_.at(instruction, 1);
    if (results == nullptr || address == nullptr || !place_shape(instruction, form)) return false;
    const Type type = instruction.type(0);
    if (results->kind == Operand::Kind::pair) {
        form.resident = operands_.destination(results->elements[1], Type::pred);
        results = &results->elements[0];
    }
    const std::size_t more = instruction.has(Mod::level) ? 1 : instruction.has(Mod::grad) ? 2 : 0;
    if (instruction.operands.size() != 2 + more) {
        operands_.fail("offsets and comparisons of depths are not supported");
        return false;
    }
    if (instruction.vector_length() != 4 || results->kind != Operand::Kind::vector ||
        results->elements.size() != 4 || (type != Type::f32 && type != Type::s32 && type != Type::u32)) {
        operands_.fail("results other than four of 32 bits are not supported");
        return false;
    }
    form.floats = type == Type::f32;
    form.by_element = instruction.type(1) == Type::s32;
    if (instruction.op == Op::tld4)
        form.component = instruction.has(Mod::r)   ? 0
                         : instruction.has(Mod::g) ? 1
                         : instruction.has(Mod::b) ? 2
                                                   : 3;
    if (!place_coordinates(*address, form)) return false;
    form.values = register_list(*results, type, true);
    return true;
}

bool FunctionDecoder::place_surface(const Instruction& instruction, TextureForm& form) {
    const bool loads = instruction.op == Op::suld;
    const Operand* address = operands_.at(instruction, loads ? 1 : 0);
    const Operand* values = operands_.at(instruction, loads ? 0 : 1);
    if (address == nullptr || values == nullptr || !place_shape(instruction, form)) return false;
    const Type type = instruction.type(0);
    form.element_bytes = static_cast<std::uint8_t>(ptx::size_bytes(type));
    form.by_element = true;
    form.outside = instruction.has(Mod::clamp)  ? TextureForm::Outside::clamp
                   : instruction.has(Mod::zero) ? TextureForm::Outside::zero
                                                : TextureForm::Outside::trap;
    const std::size_t count = values->kind == Operand::Kind::vector ? values->elements.size() : 1;
    if (!instruction.has(Mod::b) || form.shape == Image::Shape::cube || form.element_bytes == 0 ||
        count * form.element_bytes > 16 || count != instruction.vector_length()) {
        operands_.fail("this access to a surface is not supported");
        return false;
    }
    if (!place_coordinates(*address, form)) return false;
    for (std::size_t k = 0; k < count; ++k) {
        const Operand& element = values->kind == Operand::Kind::vector ? values->elements[k] : *values;
        bool wide = false;
        if (element.kind == Operand::Kind::discard && loads)
            form.values.push_back(no_ref);
        else
            form.values.push_back(operands_.any_width(element, type, wide));
        if (wide != (form.element_bytes == 8) && form.values.back() != no_ref)
            operands_.fail("elements of another width are not supported");
    }
    return true;
}

Exec FunctionDecoder::keep_texture(const Instruction& instruction, TextureForm form, Decoded& decoded) {
    decoded.target = static_cast<std::uint32_t>(context_.program.tables.textures.size());
    context_.program.tables.textures.push_back(std::move(form));
    return executor(instruction);
}

Exec FunctionDecoder::decode_sample(const Instruction& instruction, Decoded& decoded) {
    TextureForm form;
    return place_sample(instruction, form) ? keep_texture(instruction, std::move(form), decoded) : nullptr;
}

Exec FunctionDecoder::decode_surface(const Instruction& instruction, Decoded& decoded) {
    TextureForm form;
    return place_surface(instruction, form) ? keep_texture(instruction, std::move(form), decoded) : nullptr;
}

}  // namespace lanescope::simt
