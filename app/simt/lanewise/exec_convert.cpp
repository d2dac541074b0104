// cvt (PTX ISA 9.7.9.21).
#include "simt/lanewise/exec.h"
#include "simt/lanewise/select.h"
#include "simt/math/semantics.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

using ptx::Instruction;
using ptx::Mod;
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

template <class D, class S>
struct Integer {
    static D apply(S value) { return static_cast<D>(value); }
};
template <class D, class S>
struct IntegerSat {
    static D apply(S value) {
        if constexpr (std::is_signed_v<S>) {
            if (!std::is_signed_v<D> && value < 0) return 0;
            if (std::is_signed_v<D> && value < static_cast<S64>(std::numeric_limits<D>::min()))
                return std::numeric_limits<D>::min();
            if (value > 0 && static_cast<U64>(value) > static_cast<U64>(std::numeric_limits<D>::max()))
                return std::numeric_limits<D>::max();
        } else if (static_cast<U64>(value) > static_cast<U64>(std::numeric_limits<D>::max())) {
            return std::numeric_limits<D>::max();
        }
        return static_cast<D>(value);
    }
};

// Float sources as numbers.
template <class S>
auto number(S value) {
    if constexpr (std::is_same_v<S, Half>)
        return half_to_float(value.bits);
    else if constexpr (std::is_same_v<S, Brain>)
        return brain_to_float(value.bits);
    else
        return value;
}

template <class D, class S, Rounding rounding, bool ftz>
struct FloatToInteger {
    static D apply(S value) {
        auto x = number(value);
        if constexpr (ftz) x = flushed(x);
        return to_integer<D>(x, rounding);
    }
};

template <class T>
constexpr FloatFormat format_of_type = format_of<T>;
template <>
constexpr FloatFormat format_of_type<Half> = half_format;
template <>
constexpr FloatFormat format_of_type<Brain> = brain_format;

template <class D, class S, Rounding rounding, bool sat>
struct IntegerToFloat : op::SparseIf<rounding != Rounding::nearest> {
    static D apply(S value) {
        if constexpr (sat) value = value > 0 ? S{1} : S{0};
        if constexpr (sizeof(D) >= 4 && rounding == Rounding::nearest) {
            return static_cast<D>(value);
        } else {
            const bool negative = value < 0;
            const auto size = negative ? 0 - static_cast<U64>(value) : static_cast<U64>(value);
            return from_lane<D>(
                static_cast<Lane<D>>(round_integer(format_of_type<D>, negative, size, rounding)));
        }
    }
};

// A NaN of f64 in a narrower format: its sign and the top of its payload, quiet.
inline U32 narrow_nan(FloatFormat format, double nan) {
    const U64 bits = std::bit_cast<U64>(nan), infinity = format.infinity();
    const int stored = format.mantissa_bits;
    return static_cast<U32>((bits >> 63 << (stored + format.exponent_bits)) | infinity |
                            U64{1} << (stored - 1) | ((bits >> (52 - stored)) & ((U64{1} << stored) - 1)));
}
// Processors differ in the NaN of a conversion.
template <Rounding rounding>
float converted(double x) {
    if (x != x) return std::bit_cast<float>(narrow_nan(single_format, x));
    if constexpr (rounding == Rounding::nearest)
        return static_cast<float>(x);
    else
        return std::bit_cast<float>(round_to(single_format, x, rounding));
}
inline double converted(float x) {
    const U32 bits = std::bit_cast<U32>(x);
    if (x != x)
        return std::bit_cast<double>((U64{bits >> 31} << 63) | 0x7ff8000000000000ull |
                                     (U64{bits & 0x3fffffu} << 29));
    return x;
}

// Between float formats.
enum class Limit : std::uint8_t { none, sat, relu, satfinite, relu_satfinite };
template <class D, class S, Rounding rounding, bool ftz, Limit limit>
struct FloatToFloat : op::SparseIf<sizeof(D) == 4 && rounding != Rounding::nearest> {
    static D apply(S value) {
        auto x = number(value);
        if constexpr (ftz && !std::is_same_v<D, Half>) x = flushed(x);
        if constexpr (limit == Limit::sat) x = saturated(x);
        if constexpr (limit == Limit::relu || limit == Limit::relu_satfinite) x = x <= 0 ? decltype(x){0} : x;
        if constexpr (std::is_same_v<D, Half>)
            return Half{narrow(half_format, x)};
        else if constexpr (std::is_same_v<D, Brain>)
            return Brain{narrow(brain_format, x)};
        else
            return widen(x);
    }
    template <class X>
    static U16 narrow(FloatFormat format, X x) {
        if (x != x) return sizeof(X) == 8 ? static_cast<U16>(narrow_nan(format, x)) : U16{0x7fff};
        const auto bits = static_cast<U16>(round_to(format, x, rounding));
        const auto infinity = static_cast<U16>(0x7fffu & ~((1u << format.mantissa_bits) - 1));
        const bool finite = limit == Limit::satfinite || limit == Limit::relu_satfinite;
        return finite && (bits & 0x7fff) == infinity ? static_cast<U16>(bits - 1) : bits;
    }
    template <class X>
    static D widen(X x) {
        // A copy keeps every NaN, and so do steps from bf16 and between f32 and f64; .ftz makes one NaN of
        // all.
        constexpr bool keeps =
            std::is_same_v<S, Brain> || sizeof(D) == 8 || sizeof(S) == 8 || std::is_same_v<D, S>;
        if constexpr (ftz && sizeof(X) == 4) x = canonical(x);
        if constexpr (std::is_same_v<D, X>) {
            return keeps && !ftz ? x : canonical(x);
        } else if constexpr (sizeof(D) == 4) {
            const float result = converted<rounding>(x);
            return ftz ? flushed(result) : result;
        } else {
            return converted(x);
        }
    }
};
template <class T, Rounding rounding, bool ftz, bool sat>
struct Integral {
    using Type = T;
    static T apply(T value) {
        if constexpr (ftz) value = flushed(value);
        value = with_nan(integral(value, rounding), value);
        if constexpr (sat) value = saturated(value);
        return value;
    }
};
template <class Format, Rounding rounding, bool sat>
struct IntegralNarrow {
    using Type = Format;
    static Format apply(Format value) {
        const float whole = integral(number(value), rounding);
        const float limited = sat ? saturated(whole) : whole;
        if constexpr (std::is_same_v<Format, Half>)
            return Half{float_to_half(limited)};
        else
            return Brain{float_to_brain(limited)};
    }
};

// Calls make.operator()<S>() for the source type.
template <class Make>
Exec for_integer(Type type, Make make) {
    switch (type) {
        case Type::b8:
        case Type::u8:
            return make.template operator()<U8>();
        case Type::s8:
            return make.template operator()<S8>();
        case Type::b16:
        case Type::u16:
            return make.template operator()<U16>();
        case Type::s16:
            return make.template operator()<S16>();
        case Type::b32:
        case Type::u32:
            return make.template operator()<U32>();
        case Type::s32:
            return make.template operator()<S32>();
        case Type::b64:
        case Type::u64:
            return make.template operator()<U64>();
        case Type::s64:
            return make.template operator()<S64>();
        default:
            return nullptr;
    }
}
template <class Make>
Exec for_float(Type type, Make make) {
    switch (type) {
        case Type::f16:
            return make.template operator()<Half>();
        case Type::bf16:
            return make.template operator()<Brain>();
        case Type::f32:
            return make.template operator()<float>();
        case Type::f64:
            return make.template operator()<double>();
        default:
            return nullptr;
    }
}

Exec integer_to_integer(const Instruction& i) {
    const bool sat = i.has(Mod::sat);
    return for_integer(i.type(0), [&]<class D>() {
        return for_integer(i.type(1), [&]<class S>() -> Exec {
            return sat ? &unary<IntegerSat<D, S>, D, S> : &unary<Integer<D, S>, D, S>;
        });
    });
}

template <class D, class S, bool ftz>
Exec float_to_integer_for(const Instruction& i) {
    if (i.has(Mod::rni)) return &unary<FloatToInteger<D, S, Rounding::nearest, ftz>, D, S>;
    if (i.has(Mod::rzi)) return &unary<FloatToInteger<D, S, Rounding::zero, ftz>, D, S>;
    if (i.has(Mod::rmi)) return &unary<FloatToInteger<D, S, Rounding::down, ftz>, D, S>;
    return i.has(Mod::rpi) ? &unary<FloatToInteger<D, S, Rounding::up, ftz>, D, S> : nullptr;
}
Exec float_to_integer(const Instruction& i) {
    return for_integer(i.type(0), [&]<class D>() {
        return for_float(i.type(1), [&]<class S>() -> Exec {
            if constexpr (std::is_same_v<S, float>)
                if (i.has(Mod::ftz)) return float_to_integer_for<D, S, true>(i);
            return i.has(Mod::ftz) ? nullptr : float_to_integer_for<D, S, false>(i);
        });
    });
}

template <class D, class S, bool sat>
Exec integer_to_float_for(const Instruction& i) {
    if (sizeof(D) < 4 && !i.has(Mod::rn) && !i.has(Mod::rz) && !i.has(Mod::rm) && !i.has(Mod::rp))
        return nullptr;
    return in_direction(
        i, []<Rounding rounding>() -> Exec { return &unary<IntegerToFloat<D, S, rounding, sat>, D, S>; });
}
Exec integer_to_float(const Instruction& i) {
    return for_float(i.type(0), [&]<class D>() {
        return for_integer(i.type(1), [&]<class S>() -> Exec {
            return i.has(Mod::sat) ? integer_to_float_for<D, S, true>(i)
                                   : integer_to_float_for<D, S, false>(i);
        });
    });
}

template <class D, class S, bool ftz, Limit limit>
Exec float_to_float_for(const Instruction& i) {
    if constexpr (sizeof(D) == 8 || (sizeof(D) == 4 && sizeof(S) <= 4))  // exact
        return &unary<FloatToFloat<D, S, Rounding::nearest, ftz, limit>, D, S>;
    else
        return in_direction(i, []<Rounding rounding>() -> Exec {
            return &unary<FloatToFloat<D, S, rounding, ftz, limit>, D, S>;
        });
}
template <class T, bool ftz, bool sat>
Exec integral_for(const Instruction& i) {
    if (i.has(Mod::rni)) return unary_of<Integral<T, Rounding::nearest, ftz, sat>>;
    if (i.has(Mod::rzi)) return unary_of<Integral<T, Rounding::zero, ftz, sat>>;
    if (i.has(Mod::rmi)) return unary_of<Integral<T, Rounding::down, ftz, sat>>;
    return i.has(Mod::rpi) ? unary_of<Integral<T, Rounding::up, ftz, sat>> : nullptr;
}
template <class T, bool sat>
Exec integral_narrow(const Instruction& i) {
    if (i.has(Mod::rni)) return unary_of<IntegralNarrow<T, Rounding::nearest, sat>>;
    if (i.has(Mod::rzi)) return unary_of<IntegralNarrow<T, Rounding::zero, sat>>;
    if (i.has(Mod::rmi)) return unary_of<IntegralNarrow<T, Rounding::down, sat>>;
    return i.has(Mod::rpi) ? unary_of<IntegralNarrow<T, Rounding::up, sat>> : nullptr;
}
bool rounds_to_integral(const Instruction& i) {
    return i.has(Mod::rni) || i.has(Mod::rzi) || i.has(Mod::rmi) || i.has(Mod::rpi);
}
Exec float_to_integral(const Instruction& i) {
    const bool ftz = i.has(Mod::ftz), sat = i.has(Mod::sat);
    if (i.type(0) != i.type(1)) return nullptr;
    switch (i.type()) {
        case Type::f16:
            return sat ? integral_narrow<Half, true>(i) : integral_narrow<Half, false>(i);
        case Type::bf16:
            return sat ? integral_narrow<Brain, true>(i) : integral_narrow<Brain, false>(i);
        case Type::f64:
            return sat ? integral_for<double, false, true>(i) : integral_for<double, false, false>(i);
        case Type::f32:
            if (ftz) return sat ? integral_for<float, true, true>(i) : integral_for<float, true, false>(i);
            return sat ? integral_for<float, false, true>(i) : integral_for<float, false, false>(i);
        default:
            return nullptr;
    }
}

Exec float_to_float(const Instruction& i) {
    const bool ftz = i.has(Mod::ftz), relu = i.has(Mod::relu), finite = i.has(Mod::satfinite);
    if (rounds_to_integral(i)) return relu || finite ? nullptr : float_to_integral(i);
    return for_float(i.type(0), [&]<class D>() {
        return for_float(i.type(1), [&]<class S>() -> Exec {
            if (i.has(Mod::sat))
                return ftz ? float_to_float_for<D, S, true, Limit::sat>(i)
                           : float_to_float_for<D, S, false, Limit::sat>(i);
            if constexpr (sizeof(D) < 4 && std::is_same_v<S, float>) {
                if (relu && finite) return float_to_float_for<D, S, false, Limit::relu_satfinite>(i);
                if (relu) return float_to_float_for<D, S, false, Limit::relu>(i);
                if (finite) return float_to_float_for<D, S, false, Limit::satfinite>(i);
            }
            if (relu || finite) return nullptr;
            return ftz ? float_to_float_for<D, S, true, Limit::none>(i)
                       : float_to_float_for<D, S, false, Limit::none>(i);
        });
    });
}

// Two f32 into one pair; the first operand is the high half.
template <class D, Rounding rounding, Limit limit>
struct Pair {
    static U32 apply(float high, float low) {
        using One = FloatToFloat<D, float, rounding, false, limit>;
        return std::uint32_t{One::apply(high).bits} << 16 | One::apply(low).bits;
    }
};
template <class D, Limit limit>
Exec pair_rounded(const Instruction& i) {
    if (i.has(Mod::rn)) return &binary<Pair<D, Rounding::nearest, limit>, U32, float, float>;
    return i.has(Mod::rz) ? &binary<Pair<D, Rounding::zero, limit>, U32, float, float> : nullptr;
}
template <class D>
Exec pair_for(const Instruction& i) {
    if (i.has(Mod::sat) || i.has(Mod::ftz)) return nullptr;
    const bool relu = i.has(Mod::relu), finite = i.has(Mod::satfinite);
    if (relu) return finite ? pair_rounded<D, Limit::relu_satfinite>(i) : pair_rounded<D, Limit::relu>(i);
    return finite ? pair_rounded<D, Limit::satfinite>(i) : pair_rounded<D, Limit::none>(i);
}

// tf32 keeps the layout of f32 with 10 mantissa bits. .rna leaves a NaN's sign and payload, the others make
// one NaN.
template <Rounding rounding, bool relu, bool finite>
struct ToTf32 {
    static U32 apply(float value) {
        constexpr U32 infinity = 0x7f800000;
        if (value != value && rounding != Rounding::away) return 0x7fffe000u;
        if (relu && value <= 0) value = 0;
        const U32 bits = value != value ? std::bit_cast<U32>(value) & ~0x1fffu
                                        : round_to(tf32_format, value, rounding) << 13;
        return finite && (bits & infinity) == infinity ? bits - 0x2000 : bits;
    }
};
template <Rounding rounding>
Exec to_tf32_rounded(const Instruction& i) {
    const bool relu = i.has(Mod::relu), finite = i.has(Mod::satfinite);
    if (relu)
        return finite ? &unary<ToTf32<rounding, true, true>, U32, float>
                      : &unary<ToTf32<rounding, true, false>, U32, float>;
    return finite ? &unary<ToTf32<rounding, false, true>, U32, float>
                  : &unary<ToTf32<rounding, false, false>, U32, float>;
}
Exec to_tf32(const Instruction& i) {
    if (i.type(1) != Type::f32) return nullptr;
    if (i.has(Mod::rna)) return to_tf32_rounded<Rounding::away>(i);
    if (i.has(Mod::rn)) return to_tf32_rounded<Rounding::nearest>(i);
    return i.has(Mod::rz) ? to_tf32_rounded<Rounding::zero>(i) : nullptr;
}

}  // namespace

Exec select_cvt(const Instruction& instruction) {
    if (const Exec small = small_pair_conversion(instruction)) return small;
    const Type to = instruction.type(0), from = instruction.type(1);
    if (to == Type::f16x2) return from == Type::f32 ? pair_for<Half>(instruction) : nullptr;
    if (to == Type::bf16x2) return from == Type::f32 ? pair_for<Brain>(instruction) : nullptr;
    if (to == Type::tf32) return to_tf32(instruction);
    if (ptx::is_float(to))
        return ptx::is_float(from) ? float_to_float(instruction) : integer_to_float(instruction);
    return ptx::is_float(from) ? float_to_integer(instruction) : integer_to_integer(instruction);
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
