// Arithmetic on f32 and f64 (PTX ISA 9.7.3).
#include "simt/lanewise/exec.h"
#include "simt/lanewise/select.h"
#include "simt/math/approximate.h"
#include "simt/math/semantics.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Type;

namespace {

template <class O, Rounding rounding, class... Operand>
auto rounded(Operand... operand) {
    if constexpr (rounding == Rounding::nearest)
        return O::apply(operand...);
    else
        return O::apply(rounding, operand...);
}

// Operation O with .ftz and .sat; see with_nan() for NaNs.
template <class T, template <class> class O, bool ftz, bool sat, Rounding rounding = Rounding::nearest>
struct Shaped : op::SparseIf<rounding != Rounding::nearest> {
    using Type = T;
    static T in(T value) {
        if constexpr (ftz)
            return flushed(value);
        else
            return value;
    }
    static T out(T value) {
        if constexpr (sat) value = saturated(value);
        if constexpr (ftz) value = flushed(value);
        return value;
    }
    template <class... Operand>
    static T apply(Operand... operand) {
        return out(with_nan(rounded<O<T>, rounding>(in(operand)...), operand...));
    }
};

enum class Arity : std::uint8_t { one, two, three };
template <class O, Arity arity>
constexpr Exec exec_of() {
    if constexpr (arity == Arity::one)
        return unary_of<O>;
    else if constexpr (arity == Arity::two)
        return binary_of<O>;
    else
        return ternary_of<O>;
}

template <class O, class... Operand>
concept Directed = requires(Operand... operand) {
    O::apply(Rounding::zero, operand...);
};
template <template <class> class O>
constexpr bool has_directions =
    Directed<O<float>, float> || Directed<O<float>, float, float> || Directed<O<float>, float, float, float>;

template <class T, template <class> class O, bool ftz, bool sat, Arity arity>
Exec directed_for(const Instruction& instruction) {
    if constexpr (has_directions<O>)
        return in_direction(instruction, []<Rounding rounding>() -> Exec {
            return exec_of<Shaped<T, O, ftz, sat, rounding>, arity>();
        });
    else
        return exec_of<Shaped<T, O, ftz, sat>, arity>();
}

template <template <class> class O, Arity arity>
Exec shaped_for(const Instruction& instruction) {
    const bool ftz = instruction.has(Mod::ftz), sat = instruction.has(Mod::sat);
    if (instruction.type() == Type::f64)
        return ftz || sat ? nullptr : directed_for<double, O, false, false, arity>(instruction);
    if (instruction.type() != Type::f32) return nullptr;
    if (sat)
        return ftz ? directed_for<float, O, true, true, arity>(instruction)
                   : directed_for<float, O, false, true, arity>(instruction);
    return ftz ? directed_for<float, O, true, false, arity>(instruction)
               : directed_for<float, O, false, false, arity>(instruction);
}

// A division of f64 is a sequence of instructions in which the dividend's NaN wins.
template <Rounding rounding>
struct Quotient64 : op::SparseIf<rounding != Rounding::nearest> {
    using Type = double;
    static double apply(double a, double b) {
        return with_nan(rounded<op::FDiv<double>, rounding>(a, b), b, a);
    }
};

// .ftz flushes; a NaN keeps its sign.
template <class T, bool ftz, bool negate>
struct SignBit {
    using Type = T;
    static T apply(T a) {
        if constexpr (ftz) a = flushed(a);
        return with_nan(negate ? -a : std::fabs(a), a);
    }
};
template <bool negate>
Exec sign_for(const Instruction& instruction) {
    if (instruction.type() == Type::f64) return unary_of<SignBit<double, false, negate>>;
    if (instruction.type() != Type::f32) return nullptr;
    return instruction.has(Mod::ftz) ? unary_of<SignBit<float, true, negate>>
                                     : unary_of<SignBit<float, false, negate>>;
}

template <class T>
struct CopySign {
    using Type = T;
    static T apply(T a, T b) { return std::copysign(b, a); }
};

// min and max: .xorsign.abs compares magnitudes and takes the product of the signs.
template <template <class> class O, bool ftz>
struct MagnitudeXor {
    using Type = float;
    static float apply(float a, float b) {
        if constexpr (ftz) {
            a = flushed(a);
            b = flushed(b);
        }
        const std::uint32_t sign =
            (std::bit_cast<std::uint32_t>(a) ^ std::bit_cast<std::uint32_t>(b)) & 0x80000000u;
        const float magnitude = canonical(O<float>::apply(std::fabs(a), std::fabs(b)));
        if (magnitude != magnitude) return magnitude;
        return std::bit_cast<float>((std::bit_cast<std::uint32_t>(magnitude) & 0x7fffffffu) | sign);
    }
};
template <template <class> class O>
struct Three {
    template <class T>
    struct Of {
        static T apply(T a, T b, T c) { return O<T>::apply(O<T>::apply(a, b), c); }
    };
};

template <bool ftz>
Exec select_magnitude(bool least, bool nan) {
    if (nan)
        return least ? binary_of<MagnitudeXor<op::FMinNan, ftz>> : binary_of<MagnitudeXor<op::FMaxNan, ftz>>;
    return least ? binary_of<MagnitudeXor<op::FMin, ftz>> : binary_of<MagnitudeXor<op::FMax, ftz>>;
}

Exec single_extreme(const Instruction& instruction) {
    const bool least = instruction.op == Op::min, nan = instruction.has(Mod::nan_result);
    if (instruction.has(Mod::xorsign)) {
        if (instruction.type() != Type::f32 || instruction.operands.size() != 3) return nullptr;
        return instruction.has(Mod::ftz) ? select_magnitude<true>(least, nan)
                                         : select_magnitude<false>(least, nan);
    }
    if (instruction.operands.size() == 4) {
        if (nan)
            return least ? shaped_for<Three<op::FMinNan>::Of, Arity::three>(instruction)
                         : shaped_for<Three<op::FMaxNan>::Of, Arity::three>(instruction);
        return least ? shaped_for<Three<op::FMin>::Of, Arity::three>(instruction)
                     : shaped_for<Three<op::FMax>::Of, Arity::three>(instruction);
    }
    if (nan)
        return least ? shaped_for<op::FMinNan, Arity::two>(instruction)
                     : shaped_for<op::FMaxNan, Arity::two>(instruction);
    return least ? shaped_for<op::FMin, Arity::two>(instruction)
                 : shaped_for<op::FMax, Arity::two>(instruction);
}

// F of approximate.h.
template <class F, bool ftz>
struct Approximate {
    using Type = float;
    static constexpr bool sparse = true;
    template <class... Operand>
    static float apply(Operand... operand) {
        return canonical(F::template apply<ftz>(operand...));
    }
};
template <class F>
Exec approximate_for(const Instruction& instruction) {
    if (instruction.type() != Type::f32 || !instruction.has(Mod::approx)) return nullptr;
    return instruction.has(Mod::ftz) ? unary_of<Approximate<F, true>> : unary_of<Approximate<F, false>>;
}

template <bool full>
Exec approximate_quotient(const Instruction& instruction) {
    return instruction.has(Mod::ftz) ? binary_of<Approximate<approximate::Div<full>, true>>
                                     : binary_of<Approximate<approximate::Div<full>, false>>;
}
Exec single_quotient(const Instruction& instruction) {
    if (instruction.type() != Type::f32 && instruction.type() != Type::f64) return nullptr;
    if (instruction.has(Mod::approx)) return approximate_quotient<false>(instruction);
    if (instruction.has(Mod::full)) return approximate_quotient<true>(instruction);
    if (instruction.type() == Type::f64)
        return in_direction(instruction,
                            []<Rounding rounding>() -> Exec { return binary_of<Quotient64<rounding>>; });
    return shaped_for<op::FDiv, Arity::two>(instruction);
}

// Two f32 in 64 bits.
template <template <class> class O, bool ftz, Rounding rounding>
struct FloatPair : op::SparseIf<rounding != Rounding::nearest> {
    using Type = std::uint64_t;
    template <class... Operand>
    static std::uint64_t apply(Operand... operand) {
        using One = Shaped<float, O, ftz, false, rounding>;
        auto part = [](std::uint64_t bits, unsigned shift) {
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits >> shift));
        };
        auto half = [&](unsigned shift) {
            return std::uint64_t{std::bit_cast<std::uint32_t>(One::apply(part(operand, shift)...))} << shift;
        };
        return half(0) | half(32);
    }
};
template <template <class> class O, Arity arity>
Exec pair_for(const Instruction& instruction) {
    if (instruction.has(Mod::sat)) return nullptr;
    return in_direction(instruction, [&]<Rounding rounding>() -> Exec {
        return instruction.has(Mod::ftz) ? exec_of<FloatPair<O, true, rounding>, arity>()
                                         : exec_of<FloatPair<O, false, rounding>, arity>();
    });
}
// f32x2, f32 and f64.
template <template <class> class O, Arity arity>
Exec single_or_pair(const Instruction& instruction) {
    return instruction.type() == Type::f32x2 ? pair_for<O, arity>(instruction)
                                             : shaped_for<O, arity>(instruction);
}

// The first that supports the type of the instruction.
template <class... Choice>
Exec first_of(const Instruction& instruction, Choice... choices) {
    Exec exec = nullptr;
    ((exec = exec != nullptr ? exec : choices(instruction)), ...);
    return exec;
}

}  // namespace

Exec select_add(const Instruction& instruction) {
    return first_of(instruction, integer_sum, single_or_pair<op::FAdd, Arity::two>, half_sum);
}
Exec select_sub(const Instruction& instruction) {
    return first_of(instruction, integer_sum, single_or_pair<op::FSub, Arity::two>, half_sum);
}
Exec select_mul(const Instruction& instruction) {
    return first_of(instruction, integer_product, single_or_pair<op::FMul, Arity::two>, half_product);
}
Exec select_mad(const Instruction& instruction) {
    return first_of(instruction, integer_mad, shaped_for<op::FFma, Arity::three>);
}
Exec select_fma(const Instruction& instruction) {
    return first_of(instruction, single_or_pair<op::FFma, Arity::three>, half_fma);
}
Exec select_div(const Instruction& instruction) {
    return first_of(instruction, integer_quotient, single_quotient);
}
Exec select_extreme(const Instruction& instruction) {
    return first_of(instruction, integer_extreme, single_extreme, half_extreme);
}
Exec select_neg(const Instruction& instruction) {
    return first_of(instruction, integer_negation, sign_for<true>, half_negation);
}
Exec select_abs(const Instruction& instruction) {
    return first_of(instruction, integer_magnitude, sign_for<false>, half_magnitude);
}
Exec select_copysign(const Instruction& instruction) {
    if (instruction.type() == Type::f64) return binary_of<CopySign<double>>;
    return instruction.type() == Type::f32 ? binary_of<CopySign<float>> : nullptr;
}
Exec select_rcp(const Instruction& instruction) {
    if (!instruction.has(Mod::approx)) return shaped_for<op::FRcp, Arity::one>(instruction);
    return instruction.type() == Type::f64 ? unary_of<approximate::Rcp64>
                                           : approximate_for<approximate::Rcp>(instruction);
}
Exec select_rsqrt(const Instruction& instruction) {
    if (instruction.type() != Type::f64) return approximate_for<approximate::Rsqrt>(instruction);
    return instruction.has(Mod::ftz) ? unary_of<approximate::Rsqrt64> : unary_of<approximate::RsqrtFull64>;
}
Exec select_sqrt(const Instruction& instruction) {
    return instruction.has(Mod::approx) ? approximate_for<approximate::Sqrt>(instruction)
                                        : shaped_for<op::FSqrt, Arity::one>(instruction);
}
Exec select_sin(const Instruction& instruction) {
    return approximate_for<approximate::Sin>(instruction);
}
Exec select_cos(const Instruction& instruction) {
    return approximate_for<approximate::Cos>(instruction);
}
Exec select_lg2(const Instruction& instruction) {
    return approximate_for<approximate::Lg2>(instruction);
}
Exec select_ex2(const Instruction& instruction) {
    return first_of(instruction, approximate_for<approximate::Ex2>, half_exponential);
}
Exec select_tanh(const Instruction& instruction) {
    return first_of(instruction, approximate_for<approximate::Tanh>, half_tanh);
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
