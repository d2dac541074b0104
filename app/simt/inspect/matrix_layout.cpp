#include "simt/inspect/matrix_layout.h"

namespace lanescope::simt {

using ptx::Mod;
using ptx::Type;

namespace {

struct NamedShape {
    Mod mod;
    MatrixShape shape;
};
constexpr NamedShape shapes[] = {
    {Mod::m8n8k4, {8, 8, 4}},     {Mod::m8n8k16, {8, 8, 16}},     {Mod::m8n8k32, {8, 8, 32}},
    {Mod::m8n8k128, {8, 8, 128}}, {Mod::m8n32k16, {8, 32, 16}},   {Mod::m16n8k4, {16, 8, 4}},
    {Mod::m16n8k8, {16, 8, 8}},   {Mod::m16n8k16, {16, 8, 16}},   {Mod::m16n8k32, {16, 8, 32}},
    {Mod::m16n8k64, {16, 8, 64}}, {Mod::m16n8k128, {16, 8, 128}}, {Mod::m16n8k256, {16, 8, 256}},
    {Mod::m16n16k8, {16, 16, 8}}, {Mod::m16n16k16, {16, 16, 16}}, {Mod::m32n8k16, {32, 8, 16}},
};

}  // namespace

MatrixShape shape_of(const ptx::Instruction& instruction) {
    for (const NamedShape& named : shapes)
        if (instruction.has(named.mod)) return named.shape;
    return {};
}

unsigned element_bits(Type type) {
    switch (type) {
        case Type::b1:
            return 1;
        case Type::s4:
        case Type::u4:
            return 4;
        case Type::s8:
        case Type::u8:
        case Type::e4m3:
        case Type::e5m2:
            return 8;
        case Type::f16:
        case Type::bf16:
            return 16;
        case Type::tf32:
        case Type::f32:
        case Type::s32:
            return 32;
        case Type::f64:
            return 64;
        default:
            return 0;
    }
}

// 8 x 32 is done as the transposed product of 32 x 8.
bool FragmentLayout::turned() const {
    return shape.m == 8 && shape.n == 32;
}
FragmentLayout FragmentLayout::transposed() const {
    const MatrixRole other = role == MatrixRole::a   ? MatrixRole::b
                             : role == MatrixRole::b ? MatrixRole::a
                                                     : role;
    return {{shape.n, shape.m, shape.k}, other, element_bits};
}

unsigned FragmentLayout::tile_registers() const {
    const unsigned wide = shape.k / (4 * per_register()), tall = shape.m >= 16 ? 2 : 1;
    if (role == MatrixRole::a) return wide * tall;
    if (role == MatrixRole::b) return wide;
    return 2 * tall / per_register();
}

unsigned FragmentLayout::registers() const {
    if (turned()) return transposed().registers();
    const unsigned down = (shape.m + 15) / 16, across = shape.n / 8;
    if (role == MatrixRole::a) return tile_registers() * down;
    if (role == MatrixRole::b) return tile_registers() * across;
    return tile_registers() * down * across;
}

MatrixPlace FragmentLayout::place(unsigned lane, unsigned reg, unsigned element) const {
    if (turned()) {
        const MatrixPlace other = transposed().place(lane, reg, element);
        return {other.column, other.row};
    }
    const unsigned group = lane / 4, quad = lane % 4, count = per_register();
    const unsigned tile = reg / tile_registers(), r = reg % tile_registers();
    const bool tall = shape.m >= 16;
    if (role == MatrixRole::a) {
        const unsigned down = tall ? r & 1 : 0, right = tall ? r >> 1 : r;
        return {tile * 16 + down * 8 + group, (right * 4 + quad) * count + element};
    }
    if (role == MatrixRole::b) return {(r * 4 + quad) * count + element, tile * 8 + group};
    const unsigned value = r * count + element, across = shape.n / 8;
    return {tile / across * 16 + value / 2 * 8 + group, tile % across * 8 + quad * 2 + value % 2};
}

}  // namespace lanescope::simt
