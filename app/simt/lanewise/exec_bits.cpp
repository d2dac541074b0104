// Logic, shifts and bit fields (PTX ISA 9.7.1, 9.7.8).
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

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

// Predicates are masks.
enum class Logic : std::uint8_t { conjunction, disjunction, difference, complement };
template <Logic logic>
void predicate_logic(Warp& warp, const Decoded& decoded, Mask mask) {
    const Mask a = warp.predicate(decoded.a);
    Mask result = 0;
    if constexpr (logic == Logic::conjunction) result = a & warp.predicate(decoded.b);
    if constexpr (logic == Logic::disjunction) result = a | warp.predicate(decoded.b);
    if constexpr (logic == Logic::difference) result = a ^ warp.predicate(decoded.b);
    if constexpr (logic == Logic::complement) result = ~a;
    write_predicate(warp, decoded.dst, mask, result);
}

template <template <class> class O, Logic logic>
Exec logic_for(Type type) {
    switch (type) {
        case Type::pred:
            return &predicate_logic<logic>;
        case Type::b16:
            return binary_of<O<U16>>;
        case Type::b32:
            return binary_of<O<U32>>;
        case Type::b64:
            return binary_of<O<U64>>;
        default:
            return nullptr;
    }
}
template <template <class> class O>
Exec complement_for(Type type) {
    switch (type) {
        case Type::b16:
            return unary_of<O<U16>>;
        case Type::b32:
            return unary_of<O<U32>>;
        case Type::b64:
            return unary_of<O<U64>>;
        default:
            return nullptr;
    }
}
template <template <class> class O>
Exec count_for(Type type) {
    switch (type) {
        case Type::b32:
        case Type::u32:
            return &unary<O<U32>, U32, U32>;
        case Type::b64:
        case Type::u64:
            return &unary<O<U64>, U32, U64>;
        default:
            return nullptr;
    }
}
template <template <class> class O>
Exec find_for(Type type) {
    if (type == Type::s32) return &unary<O<std::int32_t>, U32, std::int32_t>;
    if (type == Type::s64) return &unary<O<std::int64_t>, U32, std::int64_t>;
    return count_for<O>(type);
}

template <class T>
constexpr Exec shift_left = &binary<op::Shl<T>, T, T, U32>;
template <class T>
constexpr Exec shift_right = &binary<op::Shr<T>, T, T, U32>;

template <class T>
constexpr Exec extract = &ternary<op::Bfe<T>, T, T, U32, U32>;

template <class T>
void insert(Warp& warp, const Decoded& decoded, Mask mask) {
    const T* a = warp.row<T>(decoded.a);
    const T* b = warp.row<T>(decoded.b);
    const U32* position = warp.row<U32>(decoded.c);
    const U32* length = warp.row<U32>(decoded.e);
    write_lanes(warp.row<T>(decoded.dst), mask, [=](unsigned lane) {
        return op::Bfi<T>::apply(a[lane], b[lane], position[lane], length[lane]);
    });
}

// The table is Decoded::mode.
void three_input_logic(Warp& warp, const Decoded& decoded, Mask mask) {
    const U32* a = warp.row<U32>(decoded.a);
    const U32* b = warp.row<U32>(decoded.b);
    const U32* c = warp.row<U32>(decoded.c);
    const unsigned table = decoded.mode;
    write_lanes(warp.row<U32>(decoded.dst), mask,
                [=](unsigned lane) { return op::lop3(a[lane], b[lane], c[lane], table); });
}

// d|p with p = (d != 0) combined with the predicate f (negated: count is 0).
template <bool both>
void three_input_test(Warp& warp, const Decoded& decoded, Mask mask) {
    const U32* a = warp.row<U32>(decoded.a);
    const U32* b = warp.row<U32>(decoded.b);
    const U32* c = warp.row<U32>(decoded.c);
    const unsigned table = decoded.mode;
    U32 results[warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane)
        results[lane] = op::lop3(a[lane], b[lane], c[lane], table);
    const Mask found = lanes_where([&](unsigned lane) { return results[lane] != 0; });
    const Mask q = warp.predicate(decoded.f) ^ (decoded.count != 0 ? 0 : all_lanes);
    if (decoded.dst != no_ref)
        write_lanes(warp.row<U32>(decoded.dst), mask, [&](unsigned lane) { return results[lane]; });
    if (decoded.e != no_ref) write_predicate(warp, decoded.e, mask, both ? found & q : found | q);
}

}  // namespace

Exec select_shift(const Instruction& instruction) {
    const bool left = instruction.op == Op::shl;
    switch (instruction.type()) {
        case Type::b16:
        case Type::u16:
            return left ? shift_left<U16> : shift_right<U16>;
        case Type::b32:
        case Type::u32:
            return left ? shift_left<U32> : shift_right<U32>;
        case Type::b64:
        case Type::u64:
            return left ? shift_left<U64> : shift_right<U64>;
        case Type::s16:
            return left ? nullptr : shift_right<std::int16_t>;
        case Type::s32:
            return left ? nullptr : shift_right<std::int32_t>;
        case Type::s64:
            return left ? nullptr : shift_right<std::int64_t>;
        default:
            return nullptr;
    }
}

Exec select_bfe(const Instruction& instruction) {
    switch (instruction.type()) {
        case Type::u32:
            return extract<U32>;
        case Type::s32:
            return extract<std::int32_t>;
        case Type::u64:
            return extract<U64>;
        case Type::s64:
            return extract<std::int64_t>;
        default:
            return nullptr;
    }
}

Exec select_prmt(const Instruction& instruction) {
    if (instruction.has(Mod::f4e)) return ternary_of<op::Permute<op::Prmt::f4e>>;
    if (instruction.has(Mod::b4e)) return ternary_of<op::Permute<op::Prmt::b4e>>;
    if (instruction.has(Mod::rc8)) return ternary_of<op::Permute<op::Prmt::rc8>>;
    if (instruction.has(Mod::ecl)) return ternary_of<op::Permute<op::Prmt::ecl>>;
    if (instruction.has(Mod::ecr)) return ternary_of<op::Permute<op::Prmt::ecr>>;
    if (instruction.has(Mod::rc16)) return ternary_of<op::Permute<op::Prmt::rc16>>;
    return ternary_of<op::Permute<op::Prmt::index>>;
}

Exec select_shf(const Instruction& instruction) {
    const bool wrap = instruction.has(Mod::wrap);
    if (instruction.has(Mod::l))
        return wrap ? ternary_of<op::Shf<true, true>> : ternary_of<op::Shf<true, false>>;
    return wrap ? ternary_of<op::Shf<false, true>> : ternary_of<op::Shf<false, false>>;
}

Exec select_szext(const Instruction& instruction) {
    const bool wrap = instruction.has(Mod::wrap);
    using S32 = std::int32_t;
    if (instruction.type() == Type::s32)
        return wrap ? &binary<op::Szext<S32, true>, S32, S32, U32>
                    : &binary<op::Szext<S32, false>, S32, S32, U32>;
    return wrap ? &binary<op::Szext<U32, true>, U32, U32, U32>
                : &binary<op::Szext<U32, false>, U32, U32, U32>;
}

Exec select_conjunction(const Instruction& instruction) {
    return logic_for<op::And, Logic::conjunction>(instruction.type());
}
Exec select_disjunction(const Instruction& instruction) {
    return logic_for<op::Or, Logic::disjunction>(instruction.type());
}
Exec select_difference(const Instruction& instruction) {
    return logic_for<op::Xor, Logic::difference>(instruction.type());
}
Exec select_complement(const Instruction& instruction) {
    if (instruction.type() == Type::pred) return &predicate_logic<Logic::complement>;
    return complement_for<op::Not>(instruction.type());
}
Exec select_cnot(const Instruction& instruction) {
    return complement_for<op::Cnot>(instruction.type());
}
Exec select_popc(const Instruction& instruction) {
    return count_for<op::Popc>(instruction.type());
}
Exec select_clz(const Instruction& instruction) {
    return count_for<op::Clz>(instruction.type());
}
Exec select_brev(const Instruction& instruction) {
    return complement_for<op::Brev>(instruction.type());
}
Exec select_bfind(const Instruction& instruction) {
    return instruction.has(Mod::shiftamt) ? find_for<op::BfindShift>(instruction.type())
                                          : find_for<op::Bfind>(instruction.type());
}
Exec select_bfi(const Instruction& instruction) {
    const Type type = instruction.type();
    return type == Type::b64 ? &insert<U64> : type == Type::b32 ? &insert<U32> : nullptr;
}
Exec select_bmsk(const Instruction& instruction) {
    return instruction.has(Mod::wrap) ? binary_of<op::Bmsk<true>> : binary_of<op::Bmsk<false>>;
}
Exec select_fns(const Instruction&) {
    return &ternary<op::Fns, U32, U32, U32, U32>;
}
Exec select_lop3(const Instruction& instruction) {
    if (instruction.operands.size() == 6)
        return instruction.has(Mod::and_) ? &three_input_test<true> : &three_input_test<false>;
    return instruction.operands.size() == 5 ? &three_input_logic : nullptr;
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
