// cvt (PTX ISA 9.7.9.21).
#include "simt/exec.h"
#include "simt/rounding.h"
#include "simt/select.h"
#include "simt/semantics.h"

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

template <class D, class S>
struct IntegerToFloat {
    static D apply(S value) { return static_cast<D>(value); }
};
template <class S>
struct IntegerToFloat<Half, S> {
    static Half apply(S value) {
        return Half{static_cast<U16>(round_to(half_format, static_cast<double>(value), Rounding::nearest))};
    }
};

// Between float formats. Narrow formats round here, f64 to f32 by the host's rounding direction.
template <class D, class S, Rounding rounding, bool ftz, bool sat>
struct FloatToFloat {
    static D apply(S value) {
        auto x = number(value);
        if constexpr (ftz) x = flushed(x);
        if constexpr (sat) x = saturated(x);
        if constexpr (std::is_same_v<D, Half>)
            return Half{narrow(half_format, x)};
        else if constexpr (std::is_same_v<D, Brain>)
            return Brain{narrow(brain_format, x)};
        else {
            const D result = canonical(static_cast<D>(x));
            if constexpr (ftz)
                return flushed(result);
            else
                return result;
        }
    }
    static U16 narrow(NarrowFormat format, double x) {
        return x != x ? U16{0x7fff} : static_cast<U16>(round_to(format, x, rounding));
    }
};
template <class T, Rounding rounding, bool ftz, bool sat>
struct Integral {
    using Type = T;
    static T apply(T value) {
        if constexpr (ftz) value = flushed(value);
        value = canonical(integral(value, rounding));
        if constexpr (sat) value = saturated(value);
        return value;
    }
};
template <Rounding rounding>
struct IntegralHalf {
    using Type = Half;
    static Half apply(Half value) {
        return Half{float_to_half(integral(half_to_float(value.bits), rounding))};
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

Exec integer_to_float(const Instruction& i) {
    if (i.has(Mod::sat)) return nullptr;
    return for_float(i.type(0), [&]<class D>() {
        return for_integer(i.type(1), [&]<class S>() -> Exec {
            if constexpr (std::is_same_v<D, Brain>)
                return nullptr;
            else if constexpr (std::is_same_v<D, Half>)
                return i.has(Mod::rn) ? &unary<IntegerToFloat<D, S>, D, S> : nullptr;
            else
                return with_rounding<&unary<IntegerToFloat<D, S>, D, S>>(i);
        });
    });
}

template <class D, class S, bool ftz, bool sat>
Exec float_to_float_for(const Instruction& i) {
    if constexpr (std::is_same_v<D, Half> || std::is_same_v<D, Brain>) {
        if (i.has(Mod::rz)) return &unary<FloatToFloat<D, S, Rounding::zero, ftz, sat>, D, S>;
        if (i.has(Mod::rm)) return &unary<FloatToFloat<D, S, Rounding::down, ftz, sat>, D, S>;
        if (i.has(Mod::rp)) return &unary<FloatToFloat<D, S, Rounding::up, ftz, sat>, D, S>;
        return &unary<FloatToFloat<D, S, Rounding::nearest, ftz, sat>, D, S>;
    } else {
        return with_rounding<&unary<FloatToFloat<D, S, Rounding::nearest, ftz, sat>, D, S>>(i);
    }
}
template <class T, bool ftz, bool sat>
Exec integral_for(const Instruction& i) {
    if (i.has(Mod::rni)) return unary_of<Integral<T, Rounding::nearest, ftz, sat>>;
    if (i.has(Mod::rzi)) return unary_of<Integral<T, Rounding::zero, ftz, sat>>;
    if (i.has(Mod::rmi)) return unary_of<Integral<T, Rounding::down, ftz, sat>>;
    return i.has(Mod::rpi) ? unary_of<Integral<T, Rounding::up, ftz, sat>> : nullptr;
}
Exec integral_half(const Instruction& i) {
    if (i.has(Mod::rni)) return unary_of<IntegralHalf<Rounding::nearest>>;
    if (i.has(Mod::rzi)) return unary_of<IntegralHalf<Rounding::zero>>;
    if (i.has(Mod::rmi)) return unary_of<IntegralHalf<Rounding::down>>;
    return i.has(Mod::rpi) ? unary_of<IntegralHalf<Rounding::up>> : nullptr;
}
bool rounds_to_integral(const Instruction& i) {
    return i.has(Mod::rni) || i.has(Mod::rzi) || i.has(Mod::rmi) || i.has(Mod::rpi);
}

Exec float_to_float(const Instruction& i) {
    const bool ftz = i.has(Mod::ftz), sat = i.has(Mod::sat);
    if (i.has(Mod::relu) || i.has(Mod::satfinite)) return nullptr;
    if (rounds_to_integral(i)) {
        if (i.type(0) != i.type(1)) return nullptr;
        if (i.type() == Type::f16) return ftz || sat ? nullptr : integral_half(i);
        if (i.type() == Type::f64)
            return sat ? integral_for<double, false, true>(i) : integral_for<double, false, false>(i);
        if (i.type() != Type::f32) return nullptr;
        if (ftz) return sat ? integral_for<float, true, true>(i) : integral_for<float, true, false>(i);
        return sat ? integral_for<float, false, true>(i) : integral_for<float, false, false>(i);
    }
    return for_float(i.type(0), [&]<class D>() {
        return for_float(i.type(1), [&]<class S>() -> Exec {
            if (ftz)
                return sat ? float_to_float_for<D, S, true, true>(i)
                           : float_to_float_for<D, S, true, false>(i);
            return sat ? float_to_float_for<D, S, false, true>(i) : float_to_float_for<D, S, false, false>(i);
        });
    });
}

// Two f32 into one pair; the first operand is the high half.
template <class D, Rounding rounding, bool relu>
struct Pair {
    static U32 apply(float high, float low) {
        if (relu && high < 0) high = 0;
        if (relu && low < 0) low = 0;
        return std::uint32_t{FloatToFloat<D, float, rounding, false, false>::apply(high).bits} << 16 |
               FloatToFloat<D, float, rounding, false, false>::apply(low).bits;
    }
};
template <class D>
Exec pair_for(const Instruction& i) {
    if (i.has(Mod::sat) || i.has(Mod::ftz) || i.has(Mod::satfinite)) return nullptr;
    const bool relu = i.has(Mod::relu);
    if (i.has(Mod::rn))
        return relu ? &binary<Pair<D, Rounding::nearest, true>, U32, float, float>
                    : &binary<Pair<D, Rounding::nearest, false>, U32, float, float>;
    if (i.has(Mod::rz))
        return relu ? &binary<Pair<D, Rounding::zero, true>, U32, float, float>
                    : &binary<Pair<D, Rounding::zero, false>, U32, float, float>;
    return nullptr;
}

// tf32 keeps the layout of f32 with 10 mantissa bits.
template <Rounding rounding>
struct ToTf32 {
    static U32 apply(float value) {
        return value != value ? 0x7fffffffu : round_to(tf32_format, value, rounding) << 13;
    }
};
Exec to_tf32(const Instruction& i) {
    if (i.type(1) != Type::f32 || i.has(Mod::relu) || i.has(Mod::satfinite)) return nullptr;
    if (i.has(Mod::rna)) return &unary<ToTf32<Rounding::away>, U32, float>;
    if (i.has(Mod::rn)) return &unary<ToTf32<Rounding::nearest>, U32, float>;
    return i.has(Mod::rz) ? &unary<ToTf32<Rounding::zero>, U32, float> : nullptr;
}

}  // namespace

Exec select_convert(const Instruction& instruction) {
    if (instruction.op != ptx::Op::cvt) return nullptr;
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
