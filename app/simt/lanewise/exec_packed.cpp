// Conversions of pairs of 8-bit floats (cvt, PTX ISA 9.7.9.21) and cvt.pack (9.7.9.22).
#include <algorithm>

#include "simt/lanewise/exec.h"
#include "simt/lanewise/select.h"
#include "simt/math/small_floats.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

using ptx::Instruction;
using ptx::Mod;
using ptx::Type;

namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using S32 = std::int32_t;
using S64 = std::int64_t;

// The first operand is the high one. .relu: what is not above 0 becomes +0.
template <bool e5m2, bool relu>
struct SmallPair {
    static U32 one(float value) {
        return small_float(e5m2 ? e5m2_format : e4m3_format, relu && value <= 0 ? 0.0f : value);
    }
    static U32 apply(float high, float low) { return one(high) << 8 | one(low); }
    static U32 apply(U32 halves) {
        return apply(half_to_float(static_cast<U16>(halves >> 16)), half_to_float(static_cast<U16>(halves)));
    }
};
template <bool e5m2, bool relu>
struct FromSmallPair {
    static U32 one(U32 bits) {
        const auto byte = static_cast<std::uint8_t>(bits);
        const float value = e5m2 ? e5m2_to_float(byte) : e4m3_to_float(byte);
        return float_to_half(relu && value <= 0 ? 0.0f : value);
    }
    static U32 apply(U32 pair) { return one(pair >> 8) << 16 | one(pair); }
};
template <bool e5m2, bool relu>
Exec small_pair(const Instruction& i) {
    if (i.type(0) == Type::f16x2) return &unary<FromSmallPair<e5m2, relu>, U32, U32>;
    if (!i.has(Mod::satfinite)) return nullptr;
    if (i.type(1) == Type::f32) return &binary<SmallPair<e5m2, relu>, U32, float, float>;
    return i.type(1) == Type::f16x2 ? &unary<SmallPair<e5m2, relu>, U32, U32> : nullptr;
}
bool is_small_pair(Type type) {
    return type == Type::e4m3x2 || type == Type::e5m2x2;
}
Exec select_small_pair(const Instruction& i) {
    const bool e5m2 = i.type(0) == Type::e5m2x2 || i.type(1) == Type::e5m2x2;
    if (!i.has(Mod::rn)) return nullptr;
    if (i.has(Mod::relu)) return e5m2 ? small_pair<true, true>(i) : small_pair<false, true>(i);
    return e5m2 ? small_pair<true, false>(i) : small_pair<false, false>(i);
}

// a and b saturated, b in the low bits, then c's bits.
template <unsigned bits, bool is_signed>
struct Packed {
    static U32 one(S32 value) {
        constexpr S64 least = is_signed ? -(S64{1} << (bits - 1)) : 0;
        constexpr S64 most = (S64{1} << (is_signed ? bits - 1 : bits)) - 1;
        return static_cast<U32>(std::clamp<S64>(value, least, most)) & ((1u << bits) - 1);
    }
    static U32 apply(S32 a, S32 b) { return one(a) << bits | one(b); }
    static U32 apply(S32 a, S32 b, U32 c) { return c << (2 * bits) | apply(a, b); }
};
template <unsigned bits>
Exec packed_for(Type type) {
    const bool is_signed = type == Type::s16 || type == Type::s8 || type == Type::s4 || type == Type::s2;
    if constexpr (bits == 16)
        return is_signed ? &binary<Packed<16, true>, U32, S32, S32>
                         : &binary<Packed<16, false>, U32, S32, S32>;
    else
        return is_signed ? &ternary<Packed<bits, true>, U32, S32, S32, U32>
                         : &ternary<Packed<bits, false>, U32, S32, S32, U32>;
}

}  // namespace

Exec select_cvt_pack(const Instruction& i) {
    const bool two = i.operands.size() == 3;
    if (i.type(1) != Type::s32) return nullptr;
    switch (i.type(0)) {
        case Type::u16:
        case Type::s16:
            return two ? packed_for<16>(i.type()) : nullptr;
        case Type::u8:
        case Type::s8:
            return two ? nullptr : packed_for<8>(i.type());
        case Type::u4:
        case Type::s4:
            return two ? nullptr : packed_for<4>(i.type());
        case Type::u2:
        case Type::s2:
            return two ? nullptr : packed_for<2>(i.type());
        default:
            return nullptr;
    }
}
Exec small_pair_conversion(const Instruction& instruction) {
    const bool small = is_small_pair(instruction.type(0)) || is_small_pair(instruction.type(1));
    return small ? select_small_pair(instruction) : nullptr;
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
