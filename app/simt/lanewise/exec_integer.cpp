// Integer arithmetic (PTX ISA 9.7.1, 9.7.2).
#include "simt/lanewise/exec.h"
#include "simt/lanewise/select.h"
#include "simt/math/semantics.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Type;

namespace {

using U8 = std::uint8_t;
using S8 = std::int8_t;
using U16 = std::uint16_t;
using S16 = std::int16_t;
using U32 = std::uint32_t;
using S32 = std::int32_t;
using U64 = std::uint64_t;
using S64 = std::int64_t;

template <template <class> class O>
Exec binary_for(Type type) {
    switch (type) {
        case Type::u16:
            return binary_of<O<U16>>;
        case Type::s16:
            return binary_of<O<S16>>;
        case Type::u32:
            return binary_of<O<U32>>;
        case Type::s32:
            return binary_of<O<S32>>;
        case Type::u64:
            return binary_of<O<U64>>;
        case Type::s64:
            return binary_of<O<S64>>;
        default:
            return nullptr;
    }
}
template <template <class> class O>
Exec ternary_for(Type type) {
    switch (type) {
        case Type::u16:
            return ternary_of<O<U16>>;
        case Type::s16:
            return ternary_of<O<S16>>;
        case Type::u32:
            return ternary_of<O<U32>>;
        case Type::s32:
            return ternary_of<O<S32>>;
        case Type::u64:
            return ternary_of<O<U64>>;
        case Type::s64:
            return ternary_of<O<S64>>;
        default:
            return nullptr;
    }
}
template <template <class> class O>
Exec signed_unary_for(Type type) {
    switch (type) {
        case Type::s16:
            return unary_of<O<S16>>;
        case Type::s32:
            return unary_of<O<S32>>;
        case Type::s64:
            return unary_of<O<S64>>;
        default:
            return nullptr;
    }
}

template <class T>
constexpr Exec wide_product = &binary<op::MulWide<T>, Wide<T>, T, T>;
template <class T>
constexpr Exec wide_sum = &ternary<op::MadWide<T>, Wide<T>, T, T, Wide<T>>;

// Sums with the carry flag. Lane arithmetic is in the unsigned type; the carry of a subtraction is a borrow.
struct Sum {
    bool carry_in;
    bool carry_out;
    bool subtract;
};
template <class T, Sum sum>
T add_with_carry(T a, T b, bool in, bool& out) {
    const Wide<T> carry = sum.carry_in && in ? 1 : 0;
    const Wide<T> total = sum.subtract ? static_cast<Wide<T>>(Wide<T>{a} - b - carry)
                                       : static_cast<Wide<T>>(Wide<T>{a} + b + carry);
    out = (total >> bits_of<T> & 1) != 0;
    return static_cast<T>(total);
}
template <class T, Sum sum>
void carry_sum(Warp& warp, const Decoded& decoded, Mask mask) {
    const T* a = warp.row<T>(decoded.a);
    const T* b = warp.row<T>(decoded.b);
    T* d = warp.row<T>(decoded.dst);
    for_each_lane(mask, [&](unsigned lane) {
        bool out = false;
        d[lane] = add_with_carry<T, sum>(a[lane], b[lane], has_lane(warp.carry, lane), out);
        if (sum.carry_out) warp.carry = (warp.carry & ~lane_bit(lane)) | (out ? lane_bit(lane) : 0);
    });
}
template <class T, bool high, Sum sum>
void carry_mad(Warp& warp, const Decoded& decoded, Mask mask) {
    using L = Unsigned<T>;
    const L* a = warp.row<L>(decoded.a);
    const L* b = warp.row<L>(decoded.b);
    const L* c = warp.row<L>(decoded.c);
    L* d = warp.row<L>(decoded.dst);
    for_each_lane(mask, [&](unsigned lane) {
        const T x = static_cast<T>(a[lane]), y = static_cast<T>(b[lane]);
        const L product = static_cast<L>(high ? op::MulHi<T>::apply(x, y) : op::MulLo<T>::apply(x, y));
        bool out = false;
        d[lane] = add_with_carry<L, sum>(product, c[lane], has_lane(warp.carry, lane), out);
        if (sum.carry_out) warp.carry = (warp.carry & ~lane_bit(lane)) | (out ? lane_bit(lane) : 0);
    });
}

template <class T, bool subtract>
Exec carry_sum_for(bool in, bool out) {
    if (in) return out ? &carry_sum<T, Sum{true, true, subtract}> : &carry_sum<T, Sum{true, false, subtract}>;
    return &carry_sum<T, Sum{false, true, subtract}>;
}
template <class T, bool high>
Exec carry_mad_for(bool in, bool out) {
    if (in)
        return out ? &carry_mad<T, high, Sum{true, true, false}>
                   : &carry_mad<T, high, Sum{true, false, false}>;
    return &carry_mad<T, high, Sum{false, true, false}>;
}

}  // namespace

Exec integer_product(const Instruction& instruction) {
    const Type type = instruction.type();
    if (instruction.has(Mod::wide)) {
        switch (type) {
            case Type::u16:
                return wide_product<U16>;
            case Type::s16:
                return wide_product<S16>;
            case Type::u32:
                return wide_product<U32>;
            case Type::s32:
                return wide_product<S32>;
            default:
                return nullptr;
        }
    }
    if (instruction.has(Mod::hi)) return binary_for<op::MulHi>(type);
    return instruction.has(Mod::lo) ? binary_for<op::MulLo>(type) : nullptr;
}

Exec select_product_24(const Instruction& instruction) {
    const bool is_signed = instruction.type() == Type::s32, high = instruction.has(Mod::hi);
    if (!is_signed && instruction.type() != Type::u32) return nullptr;
    if (instruction.op == Op::mul24) {
        if (high) return is_signed ? binary_of<op::Mul24Hi<S32>> : binary_of<op::Mul24Hi<U32>>;
        return is_signed ? binary_of<op::Mul24Lo<S32>> : binary_of<op::Mul24Lo<U32>>;
    }
    if (instruction.has(Mod::sat)) return high && is_signed ? ternary_of<op::Mad24HiSat> : nullptr;
    if (high) return is_signed ? ternary_of<op::Mad24Hi<S32>> : ternary_of<op::Mad24Hi<U32>>;
    return is_signed ? ternary_of<op::Mad24Lo<S32>> : ternary_of<op::Mad24Lo<U32>>;
}

Exec select_carry(const Instruction& instruction) {
    if (ptx::is_float(instruction.type())) return nullptr;
    const Op operation = instruction.op;
    const bool in = operation == Op::addc || operation == Op::subc || operation == Op::madc;
    const bool out = instruction.has(Mod::cc);
    const bool wide = ptx::size_bytes(instruction.type()) == 8;
    if (operation == Op::add || operation == Op::addc)
        return wide ? carry_sum_for<U64, false>(in, out) : carry_sum_for<U32, false>(in, out);
    if (operation == Op::sub || operation == Op::subc)
        return wide ? carry_sum_for<U64, true>(in, out) : carry_sum_for<U32, true>(in, out);
    const bool high = instruction.has(Mod::hi);
    switch (instruction.type()) {
        case Type::u32:
            return high ? carry_mad_for<U32, true>(in, out) : carry_mad_for<U32, false>(in, out);
        case Type::s32:
            return high ? carry_mad_for<S32, true>(in, out) : carry_mad_for<S32, false>(in, out);
        case Type::u64:
            return high ? carry_mad_for<U64, true>(in, out) : carry_mad_for<U64, false>(in, out);
        case Type::s64:
            return high ? carry_mad_for<S64, true>(in, out) : carry_mad_for<S64, false>(in, out);
        default:
            return nullptr;
    }
}

Exec integer_mad(const Instruction& instruction) {
    if (instruction.has(Mod::cc)) return select_carry(instruction);
    const Type type = instruction.type();
    if (instruction.has(Mod::wide)) {
        switch (type) {
            case Type::u16:
                return wide_sum<U16>;
            case Type::s16:
                return wide_sum<S16>;
            case Type::u32:
                return wide_sum<U32>;
            case Type::s32:
                return wide_sum<S32>;
            default:
                return nullptr;
        }
    }
    if (instruction.has(Mod::sat))
        return instruction.has(Mod::hi) && type == Type::s32 ? ternary_of<op::MadHiSat> : nullptr;
    if (instruction.has(Mod::hi)) return ternary_for<op::MadHi>(type);
    return instruction.has(Mod::lo) ? ternary_for<op::MadLo>(type) : nullptr;
}

Exec integer_extreme(const Instruction& instruction) {
    const bool least = instruction.op == Op::min, relu = instruction.has(Mod::relu);
    const Type type = instruction.type();
    if (type == Type::u16x2)
        return least ? binary_of<op::Packed16<U16, op::Min>> : binary_of<op::Packed16<U16, op::Max>>;
    if (type == Type::s16x2) {
        if (relu)
            return least ? binary_of<op::Packed16<S16, op::MinRelu>>
                         : binary_of<op::Packed16<S16, op::MaxRelu>>;
        return least ? binary_of<op::Packed16<S16, op::Min>> : binary_of<op::Packed16<S16, op::Max>>;
    }
    if (relu) {
        if (type != Type::s32) return nullptr;
        return least ? binary_of<op::MinRelu<S32>> : binary_of<op::MaxRelu<S32>>;
    }
    return least ? binary_for<op::Min>(type) : binary_for<op::Max>(type);
}

Exec integer_sum(const Instruction& instruction) {
    const bool add = instruction.op == Op::add;
    const Type type = instruction.type();
    if (instruction.has(Mod::cc)) return select_carry(instruction);
    if (instruction.has(Mod::sat)) {
        if (type != Type::s32) return nullptr;
        return add ? binary_of<op::AddSat<S32>> : binary_of<op::SubSat<S32>>;
    }
    if (type == Type::u16x2 || type == Type::s16x2)
        return add ? binary_of<op::Packed16<U16, op::Add>> : binary_of<op::Packed16<U16, op::Sub>>;
    return add ? binary_for<op::Add>(type) : binary_for<op::Sub>(type);
}

// The signedness of dot products: the first type suffix is a's, the second b's.
Exec select_dot(const Instruction& instruction) {
    if (ptx::is_float(instruction.type())) return nullptr;
    const bool a_signed = instruction.type(0) == Type::s32, b_signed = instruction.type(1) == Type::s32;
    auto exec = [](auto operation) -> Exec { return &ternary<decltype(operation), U32, U32, U32, U32>; };
    if (instruction.op == Op::dp4a) {
        if (a_signed) return b_signed ? exec(op::Dp4a<S8, S8>{}) : exec(op::Dp4a<S8, U8>{});
        return b_signed ? exec(op::Dp4a<U8, S8>{}) : exec(op::Dp4a<U8, U8>{});
    }
    if (instruction.has(Mod::hi)) {
        if (a_signed) return b_signed ? exec(op::Dp2a<S16, S8, true>{}) : exec(op::Dp2a<S16, U8, true>{});
        return b_signed ? exec(op::Dp2a<U16, S8, true>{}) : exec(op::Dp2a<U16, U8, true>{});
    }
    if (a_signed) return b_signed ? exec(op::Dp2a<S16, S8, false>{}) : exec(op::Dp2a<S16, U8, false>{});
    return b_signed ? exec(op::Dp2a<U16, S8, false>{}) : exec(op::Dp2a<U16, U8, false>{});
}

Exec select_rem(const Instruction& instruction) {
    return binary_for<op::Rem>(instruction.type());
}
Exec select_sad(const Instruction& instruction) {
    return ternary_for<op::Sad>(instruction.type());
}
Exec integer_quotient(const Instruction& instruction) {
    return binary_for<op::Div>(instruction.type());
}
Exec integer_negation(const Instruction& instruction) {
    return signed_unary_for<op::Neg>(instruction.type());
}
Exec integer_magnitude(const Instruction& instruction) {
    return signed_unary_for<op::Abs>(instruction.type());
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
