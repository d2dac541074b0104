// Comparison and selection (PTX ISA 9.7.6, 9.7.7) and testp.
#include <cmath>

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

// Converts operands for the comparison: halves to floats, f32 optionally flushed.
template <class T, bool ftz>
auto comparand(Lane<T> bits) {
    if constexpr (std::is_same_v<T, Half> && ftz)
        return half_to_float(static_cast<std::uint16_t>((bits & 0x7c00) == 0 ? bits & 0x8000 : bits));
    else if constexpr (std::is_same_v<T, Half>)
        return half_to_float(static_cast<std::uint16_t>(bits));
    else if constexpr (std::is_same_v<T, Brain>)
        return brain_to_float(static_cast<std::uint16_t>(bits));
    else if constexpr (ftz)
        return flushed(from_lane<T>(bits));
    else
        return from_lane<T>(bits);
}

template <Compare compare, class T, bool ftz>
Mask compare_rows(const Lane<T>* a, const Lane<T>* b, unsigned shift = 0) {
    return lanes_where([=](unsigned lane) {
        return compared<compare>(comparand<T, ftz>(a[lane] >> shift), comparand<T, ftz>(b[lane] >> shift));
    });
}

Mask combined(const Warp& warp, const Decoded& decoded, Mask compared_mask) {
    if (decoded.mode == combine::none) return compared_mask;
    const Mask c = warp.predicate(decoded.c) ^ (decoded.mode & combine::negated ? all_lanes : 0);
    switch (decoded.mode & combine::operation) {
        case combine::conjunction:
            return compared_mask & c;
        case combine::disjunction:
            return compared_mask | c;
        default:
            return compared_mask ^ c;
    }
}

template <Compare compare, class T, bool ftz>
void set_predicate(Warp& warp, const Decoded& decoded, Mask mask) {
    const Mask result =
        compare_rows<compare, T, ftz>(warp.row<Lane<T>>(decoded.a), warp.row<Lane<T>>(decoded.b));
    // Both destinations are computed before either is written: c may be one of them.
    const Mask first = combined(warp, decoded, result), second = combined(warp, decoded, ~result);
    if (decoded.dst != no_ref) write_predicate(warp, decoded.dst, mask, first);
    if (decoded.e != no_ref) write_predicate(warp, decoded.e, mask, second);
}

// Packed halves: the first destination is the low half's result, the second the high half's.
template <Compare compare, class T, bool ftz>
void set_predicate_pair(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* a = warp.row<std::uint32_t>(decoded.a);
    const auto* b = warp.row<std::uint32_t>(decoded.b);
    const Mask first = combined(warp, decoded, compare_rows<compare, T, ftz>(a, b));
    const Mask second = combined(warp, decoded, compare_rows<compare, T, ftz>(a, b, 16));
    if (decoded.dst != no_ref) write_predicate(warp, decoded.dst, mask, first);
    if (decoded.e != no_ref) write_predicate(warp, decoded.e, mask, second);
}

// set: Decoded::imm is the pattern that stands for true.
template <Compare compare, class T, bool ftz>
void set_value(Warp& warp, const Decoded& decoded, Mask mask) {
    const Mask result =
        combined(warp, decoded,
                 compare_rows<compare, T, ftz>(warp.row<Lane<T>>(decoded.a), warp.row<Lane<T>>(decoded.b)));
    const auto truth = static_cast<std::uint32_t>(decoded.imm);
    write_lanes(warp.row<std::uint32_t>(decoded.dst), mask,
                [=](unsigned lane) { return result >> lane & 1 ? truth : 0u; });
}

// Packed halves; Decoded::imm is the pattern of one half.
template <Compare compare, class T, bool ftz>
void set_value_pair(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* a = warp.row<std::uint32_t>(decoded.a);
    const auto* b = warp.row<std::uint32_t>(decoded.b);
    const Mask low = combined(warp, decoded, compare_rows<compare, T, ftz>(a, b));
    const Mask high = combined(warp, decoded, compare_rows<compare, T, ftz>(a, b, 16));
    const auto truth = static_cast<std::uint32_t>(decoded.imm & 0xffff);
    write_lanes(warp.row<std::uint32_t>(decoded.dst), mask, [=](unsigned lane) {
        return (low >> lane & 1 ? truth : 0u) | (high >> lane & 1 ? truth << 16 : 0u);
    });
}

enum class Kind : std::uint8_t { predicate, predicate_pair, value, value_pair };

template <Kind kind, Compare compare, class T, bool ftz>
constexpr Exec exec_of() {
    if constexpr (kind == Kind::predicate)
        return &set_predicate<compare, T, ftz>;
    else if constexpr (kind == Kind::predicate_pair)
        return &set_predicate_pair<compare, T, ftz>;
    else if constexpr (kind == Kind::value_pair)
        return &set_value_pair<compare, T, ftz>;
    else
        return &set_value<compare, T, ftz>;
}

template <Kind kind, class T>
Exec integer_compare(const Instruction& i) {
    if (i.has(Mod::eq)) return exec_of<kind, Compare::eq, T, false>();
    if (i.has(Mod::ne)) return exec_of<kind, Compare::ne, T, false>();
    if (i.has(Mod::lt) || i.has(Mod::lo)) return exec_of<kind, Compare::lt, T, false>();
    if (i.has(Mod::le) || i.has(Mod::ls)) return exec_of<kind, Compare::le, T, false>();
    if (i.has(Mod::gt) || i.has(Mod::hi)) return exec_of<kind, Compare::gt, T, false>();
    if (i.has(Mod::ge) || i.has(Mod::hs)) return exec_of<kind, Compare::ge, T, false>();
    return nullptr;
}
template <Kind kind, class T, bool ftz>
Exec float_compare(const Instruction& i) {
    if (i.has(Mod::eq)) return exec_of<kind, Compare::eq, T, ftz>();
    if (i.has(Mod::ne)) return exec_of<kind, Compare::ne, T, ftz>();
    if (i.has(Mod::lt)) return exec_of<kind, Compare::lt, T, ftz>();
    if (i.has(Mod::le)) return exec_of<kind, Compare::le, T, ftz>();
    if (i.has(Mod::gt)) return exec_of<kind, Compare::gt, T, ftz>();
    if (i.has(Mod::ge)) return exec_of<kind, Compare::ge, T, ftz>();
    if (i.has(Mod::equ)) return exec_of<kind, Compare::equ, T, ftz>();
    if (i.has(Mod::neu)) return exec_of<kind, Compare::neu, T, ftz>();
    if (i.has(Mod::ltu)) return exec_of<kind, Compare::ltu, T, ftz>();
    if (i.has(Mod::leu)) return exec_of<kind, Compare::leu, T, ftz>();
    if (i.has(Mod::gtu)) return exec_of<kind, Compare::gtu, T, ftz>();
    if (i.has(Mod::geu)) return exec_of<kind, Compare::geu, T, ftz>();
    if (i.has(Mod::num)) return exec_of<kind, Compare::num, T, ftz>();
    if (i.has(Mod::nan)) return exec_of<kind, Compare::nan, T, ftz>();
    return nullptr;
}
template <Kind kind>
Exec compare_for(const Instruction& i, Type type) {
    const bool ftz = i.has(Mod::ftz);
    switch (type) {
        case Type::b16:
        case Type::u16:
            return integer_compare<kind, std::uint16_t>(i);
        case Type::s16:
            return integer_compare<kind, std::int16_t>(i);
        case Type::b32:
        case Type::u32:
            return integer_compare<kind, std::uint32_t>(i);
        case Type::s32:
            return integer_compare<kind, std::int32_t>(i);
        case Type::b64:
        case Type::u64:
            return integer_compare<kind, std::uint64_t>(i);
        case Type::s64:
            return integer_compare<kind, std::int64_t>(i);
        case Type::f32:
            return ftz ? float_compare<kind, float, true>(i) : float_compare<kind, float, false>(i);
        case Type::f64:
            return float_compare<kind, double, false>(i);
        case Type::f16:
            return ftz ? float_compare<kind, Half, true>(i) : float_compare<kind, Half, false>(i);
        case Type::bf16:
            return ftz ? nullptr : float_compare<kind, Brain, false>(i);
        default:
            return nullptr;
    }
}

template <Kind kind>
Exec pair_compare(const Instruction& i, Type type) {
    if (type == Type::f16x2)
        return i.has(Mod::ftz) ? float_compare<kind, Half, true>(i) : float_compare<kind, Half, false>(i);
    return type == Type::bf16x2 && !i.has(Mod::ftz) ? float_compare<kind, Brain, false>(i) : nullptr;
}

template <class L>
void choose(Warp& warp, const Decoded& decoded, Mask mask) {
    const L* a = warp.row<L>(decoded.a);
    const L* b = warp.row<L>(decoded.b);
    const Mask p = warp.predicate(decoded.c) ^ (decoded.mode & combine::negated ? all_lanes : 0);
    write_lanes(warp.row<L>(decoded.dst), mask,
                [=](unsigned lane) { return p >> lane & 1 ? a[lane] : b[lane]; });
}

template <class L, class C, bool ftz>
struct SelectBySign {
    static L apply(L a, L b, C c) {
        if constexpr (ftz) c = flushed(c);
        return c >= C(0) ? a : b;
    }
};
template <class L>
Exec slct_for(const Instruction& i) {
    using S32 = std::int32_t;
    if (i.type(1) == Type::s32) return &ternary<SelectBySign<L, S32, false>, L, L, L, S32>;
    if (i.type(1) != Type::f32) return nullptr;
    return i.has(Mod::ftz) ? &ternary<SelectBySign<L, float, true>, L, L, L, float>
                           : &ternary<SelectBySign<L, float, false>, L, L, L, float>;
}

enum class Class : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };
template <class T, Class cls>
void test_class(Warp& warp, const Decoded& decoded, Mask mask) {
    const auto* a = warp.row<Lane<T>>(decoded.a);
    write_predicate(warp, decoded.dst, mask, lanes_where([=](unsigned lane) {
                        const T value = from_lane<T>(a[lane]);
                        switch (cls) {
                            case Class::finite:
                                return std::isfinite(value);
                            case Class::infinite:
                                return std::isinf(value);
                            case Class::number:
                                return value == value;
                            case Class::notanumber:
                                return value != value;
                            case Class::normal:
                                return std::isnormal(value) || value == 0;  // so does hardware
                            case Class::subnormal:
                                return std::fpclassify(value) == FP_SUBNORMAL;
                        }
                        return false;
                    }));
}
template <class T>
Exec testp_for(const Instruction& i) {
    if (i.has(Mod::finite)) return &test_class<T, Class::finite>;
    if (i.has(Mod::infinite)) return &test_class<T, Class::infinite>;
    if (i.has(Mod::number)) return &test_class<T, Class::number>;
    if (i.has(Mod::notanumber)) return &test_class<T, Class::notanumber>;
    if (i.has(Mod::normal)) return &test_class<T, Class::normal>;
    return i.has(Mod::subnormal) ? &test_class<T, Class::subnormal> : nullptr;
}

}  // namespace

Exec select_setp(const Instruction& instruction) {
    const Type type = instruction.type();
    if (const Exec pair = pair_compare<Kind::predicate_pair>(instruction, type)) return pair;
    return compare_for<Kind::predicate>(instruction, type);
}
Exec select_set(const Instruction& instruction) {
    const Type type = instruction.type(1);
    if (const Exec pair = pair_compare<Kind::value_pair>(instruction, type)) return pair;
    return compare_for<Kind::value>(instruction, type);
}
Exec select_selp(const Instruction& instruction) {
    const unsigned bytes = ptx::size_bytes(instruction.type());
    return bytes == 8 ? &choose<std::uint64_t> : bytes == 0 ? nullptr : &choose<std::uint32_t>;
}
Exec select_slct(const Instruction& instruction) {
    return ptx::size_bytes(instruction.type()) == 8 ? slct_for<std::uint64_t>(instruction)
                                                    : slct_for<std::uint32_t>(instruction);
}
Exec select_testp(const Instruction& instruction) {
    return instruction.type() == Type::f64 ? testp_for<double>(instruction) : testp_for<float>(instruction);
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
