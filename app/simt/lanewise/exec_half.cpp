// Arithmetic on f16, bf16 and their pairs (PTX ISA 9.7.4): computed in double, rounded once.
#include "base/elementary.h"
#include "simt/lanewise/exec.h"
#include "simt/lanewise/select.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Type;

namespace {

struct HalfFormat {
    static double widen(std::uint16_t bits) { return half_to_float(bits); }
    static std::uint16_t narrow(double value, Rounding rounding = Rounding::nearest) {
        return static_cast<std::uint16_t>(value != value ? 0x7fffu : round_to(half_format, value, rounding));
    }
    static constexpr std::uint16_t exponent = 0x7c00;
};
struct BrainFormat {
    static double widen(std::uint16_t bits) { return brain_to_float(bits); }
    static std::uint16_t narrow(double value, Rounding rounding = Rounding::nearest) {
        return static_cast<std::uint16_t>(value != value ? 0x7fffu : round_to(brain_format, value, rounding));
    }
    static constexpr std::uint16_t exponent = 0x7f80;
};

template <class Format, template <class> class O, bool ftz, bool sat, bool relu>
struct Narrow {
    static double in(std::uint16_t bits) {
        if (ftz && (bits & Format::exponent) == 0) bits &= 0x8000;
        return Format::widen(bits);
    }
    static std::uint16_t out(double value) {
        if (sat) value = saturated(value);
        if (relu && value <= 0) value = 0;  // -0, too
        std::uint16_t bits = Format::narrow(value);
        if (ftz && (bits & Format::exponent) == 0) bits &= 0x8000;
        return bits;
    }
    static std::uint16_t one(std::uint16_t a) { return out(O<double>::apply(in(a))); }
    static std::uint16_t one(std::uint16_t a, std::uint16_t b) { return out(O<double>::apply(in(a), in(b))); }
    static std::uint16_t one(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
        return out(O<double>::apply(in(a), in(b), in(c)));
    }
};

template <class N, bool pair>
struct Applied {
    using Type = std::uint32_t;
    static constexpr bool sparse = true;
    template <class... Operand>
    static std::uint32_t apply(Operand... operand) {
        const std::uint32_t low = N::one(static_cast<std::uint16_t>(operand)...);
        if constexpr (!pair)
            return low;
        else
            return low | std::uint32_t{N::one(static_cast<std::uint16_t>(operand >> 16)...)} << 16;
    }
};

// A product of two narrow numbers is exact in double.
template <class T>
struct MultiplyAdd {
    static T apply(T a, T b, T c) { return a * b + c; }
};

template <class A, int arity>
constexpr Exec exec_of() {
    if constexpr (arity == 1)
        return unary_of<A>;
    else if constexpr (arity == 2)
        return binary_of<A>;
    else
        return ternary_of<A>;
}

template <class Format, template <class> class O, int arity, bool pair>
Exec formed_for(const Instruction& instruction) {
    const bool ftz = instruction.has(Mod::ftz), sat = instruction.has(Mod::sat),
               relu = instruction.has(Mod::relu);
    if (relu && ftz)
        return sat ? nullptr : exec_of<Applied<Narrow<Format, O, true, false, true>, pair>, arity>();
    if (relu) return sat ? nullptr : exec_of<Applied<Narrow<Format, O, false, false, true>, pair>, arity>();
    if (sat)
        return ftz ? exec_of<Applied<Narrow<Format, O, true, true, false>, pair>, arity>()
                   : exec_of<Applied<Narrow<Format, O, false, true, false>, pair>, arity>();
    return ftz ? exec_of<Applied<Narrow<Format, O, true, false, false>, pair>, arity>()
               : exec_of<Applied<Narrow<Format, O, false, false, false>, pair>, arity>();
}

template <template <class> class O, int arity>
Exec narrow_for(const Instruction& instruction) {
    switch (instruction.type()) {
        case Type::f16:
            return formed_for<HalfFormat, O, arity, false>(instruction);
        case Type::f16x2:
            return formed_for<HalfFormat, O, arity, true>(instruction);
        case Type::bf16:
            return formed_for<BrainFormat, O, arity, false>(instruction);
        case Type::bf16x2:
            return formed_for<BrainFormat, O, arity, true>(instruction);
        default:
            return nullptr;
    }
}

// min and max with .xorsign.abs: of the magnitudes, with the product of the signs; NaN has none.
template <class Format, template <class> class O, bool ftz>
struct NarrowMagnitude {
    static std::uint16_t one(std::uint16_t a, std::uint16_t b) {
        auto magnitude = [](std::uint16_t bits) {
            bits &= 0x7fff;
            return Format::widen(ftz && (bits & Format::exponent) == 0 ? std::uint16_t{0} : bits);
        };
        const std::uint16_t result = Format::narrow(O<double>::apply(magnitude(a), magnitude(b)));
        return result == 0x7fff ? result : static_cast<std::uint16_t>(result | ((a ^ b) & 0x8000));
    }
};
template <template <class> class O>
Exec magnitude_for(const Instruction& instruction) {
    const bool ftz = instruction.has(Mod::ftz);
    switch (instruction.type()) {
        case Type::f16:
            return ftz ? binary_of<Applied<NarrowMagnitude<HalfFormat, O, true>, false>>
                       : binary_of<Applied<NarrowMagnitude<HalfFormat, O, false>, false>>;
        case Type::f16x2:
            return ftz ? binary_of<Applied<NarrowMagnitude<HalfFormat, O, true>, true>>
                       : binary_of<Applied<NarrowMagnitude<HalfFormat, O, false>, true>>;
        case Type::bf16:
            return ftz ? nullptr : binary_of<Applied<NarrowMagnitude<BrainFormat, O, false>, false>>;
        case Type::bf16x2:
            return ftz ? nullptr : binary_of<Applied<NarrowMagnitude<BrainFormat, O, false>, true>>;
        default:
            return nullptr;
    }
}

// ex2 and tanh round to f32, and toward zero unless the value is too large.
template <class Format, double (*function)(double), bool ftz>
struct Truncated {
    static std::uint16_t one(std::uint16_t a) {
        const float value = static_cast<float>(function(Format::widen(a)));
        std::uint16_t bits = Format::narrow(value, Rounding::zero);
        if (ftz && (bits & Format::exponent) == 0) bits &= 0x8000;
        return (bits & 0x7fff) == Format::exponent - 1 && value > Format::widen(bits) ? Format::exponent
                                                                                      : bits;
    }
};
double exponential(double a) {
    return elementary::exp2(a);
}
double hyperbolic_tangent(double a) {
    return elementary::tanh(a);
}
template <double (*function)(double)>
Exec truncated_for(const Instruction& instruction) {
    const bool ftz = instruction.has(Mod::ftz);
    switch (instruction.type()) {
        case Type::f16:
            return unary_of<Applied<Truncated<HalfFormat, function, false>, false>>;
        case Type::f16x2:
            return unary_of<Applied<Truncated<HalfFormat, function, false>, true>>;
        case Type::bf16:
            return ftz ? unary_of<Applied<Truncated<BrainFormat, function, true>, false>>
                       : unary_of<Applied<Truncated<BrainFormat, function, false>, false>>;
        case Type::bf16x2:
            return ftz ? unary_of<Applied<Truncated<BrainFormat, function, true>, true>>
                       : unary_of<Applied<Truncated<BrainFormat, function, false>, true>>;
        default:
            return nullptr;
    }
}

}  // namespace

Exec half_sum(const Instruction& instruction) {
    return instruction.op == Op::add ? narrow_for<op::FAdd, 2>(instruction)
                                     : narrow_for<op::FSub, 2>(instruction);
}
Exec half_product(const Instruction& instruction) {
    return narrow_for<op::FMul, 2>(instruction);
}
Exec half_fma(const Instruction& instruction) {
    return narrow_for<MultiplyAdd, 3>(instruction);
}
Exec half_extreme(const Instruction& instruction) {
    const bool least = instruction.op == Op::min;
    const bool magnitudes = instruction.has(Mod::xorsign);
    if (instruction.has(Mod::nan_result)) {
        if (magnitudes)
            return least ? magnitude_for<op::FMinNan>(instruction) : magnitude_for<op::FMaxNan>(instruction);
        return least ? narrow_for<op::FMinNan, 2>(instruction) : narrow_for<op::FMaxNan, 2>(instruction);
    }
    if (magnitudes)
        return least ? magnitude_for<op::FMin>(instruction) : magnitude_for<op::FMax>(instruction);
    return least ? narrow_for<op::FMin, 2>(instruction) : narrow_for<op::FMax, 2>(instruction);
}
Exec half_negation(const Instruction& instruction) {
    return narrow_for<op::FNeg, 1>(instruction);
}
Exec half_magnitude(const Instruction& instruction) {
    return narrow_for<op::FAbs, 1>(instruction);
}
Exec half_exponential(const Instruction& instruction) {
    return truncated_for<&exponential>(instruction);
}
Exec half_tanh(const Instruction& instruction) {
    return truncated_for<&hyperbolic_tangent>(instruction);
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
