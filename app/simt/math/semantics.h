// The results of PTX instructions for one lane: integer, bit and comparison semantics (PTX ISA 9.0,
// sections 9.7.1-9.7.8). Every function is total: no input traps or is undefined in C++.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "simt/math/exact.h"
#include "simt/math/isa.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
struct WideOf;
template <>
struct WideOf<std::uint8_t> {
    using type = std::uint16_t;
};
template <>
struct WideOf<std::int8_t> {
    using type = std::int16_t;
};
template <>
struct WideOf<std::uint16_t> {
    using type = std::uint32_t;
};
template <>
struct WideOf<std::int16_t> {
    using type = std::int32_t;
};
template <>
struct WideOf<std::uint32_t> {
    using type = std::uint64_t;
};
template <>
struct WideOf<std::int32_t> {
    using type = std::int64_t;
};
__extension__ typedef __int128 Int128;
template <>
struct WideOf<std::uint64_t> {
    using type = UInt128;
};
template <>
struct WideOf<std::int64_t> {
    using type = Int128;
};
template <class T>
using Wide = typename WideOf<T>::type;

template <class T>
constexpr unsigned bits_of = sizeof(T) * 8;

namespace op {

template <class T>
struct Add {
    using Type = T;
    static T apply(T a, T b) {
        return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
    }
};
template <class T>
struct Sub {
    using Type = T;
    static T apply(T a, T b) {
        return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
    }
};
template <class T>
T clamped(std::int64_t value) {
    if (value > std::numeric_limits<T>::max()) return std::numeric_limits<T>::max();
    if (value < std::numeric_limits<T>::min()) return std::numeric_limits<T>::min();
    return static_cast<T>(value);
}
template <class T>
struct AddSat {
    using Type = T;
    static T apply(T a, T b) { return clamped<T>(std::int64_t{a} + b); }
};
template <class T>
struct SubSat {
    using Type = T;
    static T apply(T a, T b) { return clamped<T>(std::int64_t{a} - b); }
};
template <class T>
struct MulLo {
    using Type = T;
    static T apply(T a, T b) {
        // 64 bits for all but 64-bit types: 16-bit operands must not overflow int after promotion.
        return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    }
};
template <>
struct MulLo<std::int32_t> {
    using Type = std::int32_t;
    static std::int32_t apply(std::int32_t a, std::int32_t b) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
    }
};
template <>
struct MulLo<std::uint32_t> {
    using Type = std::uint32_t;
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b) { return a * b; }
};
template <class T>
struct MulHi {
    using Type = T;
    static T apply(T a, T b) {
        return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> bits_of<T>);
    }
};
template <class T>
struct MulWide {
    static Wide<T> apply(T a, T b) { return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b); }
};
template <class T>
struct MadLo {
    using Type = T;
    static T apply(T a, T b, T c) { return Add<T>::apply(MulLo<T>::apply(a, b), c); }
};
template <class T>
struct MadHi {
    using Type = T;
    static T apply(T a, T b, T c) { return Add<T>::apply(MulHi<T>::apply(a, b), c); }
};
struct MadHiSat {
    using Type = std::int32_t;
    static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
        return AddSat<std::int32_t>::apply(MulHi<std::int32_t>::apply(a, b), c);
    }
};
template <class T>
struct MadWide {
    static Wide<T> apply(T a, T b, Wide<T> c) { return Add<Wide<T>>::apply(MulWide<T>::apply(a, b), c); }
};
// 24-bit products: bits 0-31 or 16-47 of the 48-bit product.
template <class T>
std::int64_t low24(T a) {
    const auto bits = static_cast<std::uint64_t>(a) << 40;
    return std::is_signed_v<T> ? static_cast<std::int64_t>(bits) >> 40
                               : static_cast<std::int64_t>(bits >> 40);
}
template <class T>
struct Mul24Lo {
    using Type = T;
    static T apply(T a, T b) {
        return static_cast<T>(static_cast<std::uint64_t>(low24(a)) * static_cast<std::uint64_t>(low24(b)));
    }
};
template <class T>
struct Mul24Hi {
    using Type = T;
    static T apply(T a, T b) { return static_cast<T>((low24(a) * low24(b)) >> 16); }
};
template <class T>
struct Mad24Lo {
    using Type = T;
    static T apply(T a, T b, T c) { return Add<T>::apply(Mul24Lo<T>::apply(a, b), c); }
};
template <class T>
struct Mad24Hi {
    using Type = T;
    static T apply(T a, T b, T c) { return Add<T>::apply(Mul24Hi<T>::apply(a, b), c); }
};
struct Mad24HiSat {
    using Type = std::int32_t;
    static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
        return AddSat<std::int32_t>::apply(Mul24Hi<std::int32_t>::apply(a, b), c);
    }
};
// a / b of numbers of up to 32 bits through double precision, which has vector instructions: exact, because a
// quotient that is not an integer is at least 1 / b away from the next one, and 53 bits tell them apart.
inline double to_double(std::int32_t a) {
    return a;
}
inline double to_double(std::uint32_t a) {  // vector units convert signed numbers only
    return static_cast<std::int32_t>(a ^ 0x80000000u) + 2147483648.0;
}
inline std::int32_t truncated(double quotient, std::int32_t) {
    return static_cast<std::int32_t>(quotient);
}
inline std::uint32_t truncated(double quotient, std::uint32_t) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::trunc(quotient) - 2147483648.0)) ^
           0x80000000u;
}
// Division by zero is unspecified in PTX; hardware gives all ones, also as the remainder.
template <class T>
T quotient(T a, T b) {
    if constexpr (sizeof(T) > 4) {
        return a / b;
    } else {
        using Wide = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
        return static_cast<T>(truncated(to_double(Wide{a}) / to_double(Wide{b}), Wide{}));
    }
}
template <class T>
constexpr bool divides_specially(T b) {
    return b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1));
}
template <bool is_sparse>
struct SparseIf {};
template <>
struct SparseIf<true> {
    static constexpr bool sparse = true;
};
template <class T>
struct Div : SparseIf<(sizeof(T) > 4)> {
    using Type = T;
    static T apply(T a, T b) {
        const T special = b == 0 ? static_cast<T>(~T{0}) : Sub<T>::apply(0, a);
        const T usual = quotient(a, divides_specially(b) ? T{1} : b);
        return divides_specially(b) ? special : usual;
    }
};
template <class T>
struct Rem : SparseIf<(sizeof(T) > 4)> {
    using Type = T;
    static T apply(T a, T b) {
        const T divisor = divides_specially(b) ? T{1} : b;
        const T usual = static_cast<T>(a - quotient(a, divisor) * divisor);
        return b == 0 ? static_cast<T>(~T{0}) : usual;  // of -1 it is 0, as of 1
    }
};
template <class T>
struct Neg {
    using Type = T;
    static T apply(T a) { return Sub<T>::apply(0, a); }
};
template <class T>
struct Abs {
    using Type = T;
    static T apply(T a) { return a < 0 ? Neg<T>::apply(a) : a; }
};
template <class T>
struct Min {
    using Type = T;
    static T apply(T a, T b) { return a < b ? a : b; }
};
template <class T>
struct Max {
    using Type = T;
    static T apply(T a, T b) { return a > b ? a : b; }
};
template <class T>
struct MinRelu {
    using Type = T;
    static T apply(T a, T b) { return Max<T>::apply(Min<T>::apply(a, b), 0); }
};
template <class T>
struct MaxRelu {
    using Type = T;
    static T apply(T a, T b) { return Max<T>::apply(Max<T>::apply(a, b), 0); }
};
template <class T>
struct And {
    using Type = T;
    static T apply(T a, T b) { return static_cast<T>(a & b); }
};
template <class T>
struct Or {
    using Type = T;
    static T apply(T a, T b) { return static_cast<T>(a | b); }
};
template <class T>
struct Xor {
    using Type = T;
    static T apply(T a, T b) { return static_cast<T>(a ^ b); }
};
template <class T>
struct Not {
    using Type = T;
    static T apply(T a) { return static_cast<T>(~a); }
};
template <class T>
struct Cnot {
    using Type = T;
    static T apply(T a) { return a == 0 ? 1 : 0; }
};
// Shift counts are 32 bits and clamp at the width.
template <class T>
struct Shl {
    using Type = T;
    static T apply(T a, std::uint32_t count) {
        return count >= bits_of<T>
                   ? T{0}
                   : static_cast<T>(static_cast<Unsigned<T>>(a) << (count & (bits_of<T> - 1)));
    }
};
template <class T>
struct Shr {
    using Type = T;
    static T apply(T a, std::uint32_t count) {
        if (std::is_signed_v<T>) return static_cast<T>(a >> (count < bits_of<T> ? count : bits_of<T> - 1));
        return count >= bits_of<T> ? T{0} : static_cast<T>(a >> (count & (bits_of<T> - 1)));
    }
};
template <class T>
struct Popc {
    static std::uint32_t apply(T a) { return static_cast<std::uint32_t>(std::popcount(a)); }
};
template <class T>
struct Clz {
    static std::uint32_t apply(T a) { return static_cast<std::uint32_t>(std::countl_zero(a)); }
};
template <class T>
struct Brev {
    using Type = T;
    static T apply(T a) {
        T reversed = 0;
        for (unsigned i = 0; i < bits_of<T>; ++i)
            reversed = static_cast<T>(reversed | ((a >> i & 1) << (bits_of<T> - 1 - i)));
        return reversed;
    }
};
// Position of the most significant bit that differs from the sign; all ones when there is none.
template <class T>
struct Bfind {
    static std::uint32_t apply(T a) {
        const auto bits = static_cast<Unsigned<T>>(a < 0 ? ~a : a);
        return bits == 0 ? ~0u : bits_of<T> - 1 - static_cast<std::uint32_t>(std::countl_zero(bits));
    }
};
template <class T>
struct BfindShift {
    static std::uint32_t apply(T a) {
        const std::uint32_t position = Bfind<T>::apply(a);
        return position == ~0u ? ~0u : bits_of<T> - 1 - position;
    }
};
// Position and length of a bit field: of 32-bit forms the low 8 bits count, of 64-bit ones all.
template <class T>
std::uint32_t field_operand(std::uint32_t value) {
    const std::uint32_t counted = bits_of<T> == 64 ? value : value & 0xff;
    return counted < 0xff ? counted : 0xff;
}
// Bit field extract; a signed field is extended with its top bit.
template <class T>
struct Bfe {
    using Type = T;
    static T apply(T a, std::uint32_t position, std::uint32_t length) {
        constexpr unsigned top = bits_of<T> - 1;
        position = field_operand<T>(position);
        length = field_operand<T>(length);
        using U = Unsigned<T>;
        const U bits = static_cast<U>(a);
        const unsigned sign_at = position + length - 1 < top && length != 0 ? position + length - 1 : top;
        const U sign = std::is_signed_v<T> && length != 0 ? static_cast<U>(bits >> sign_at & 1) : U{0};
        const U field = position > top ? U{0} : static_cast<U>(bits >> position);
        const unsigned valid =
            position > top ? 0 : (length < bits_of<T> - position ? length : bits_of<T> - position);
        const U ones = valid >= bits_of<T> ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << valid) - 1);
        return static_cast<T>((field & ones) | (sign != 0 ? static_cast<U>(~ones) : U{0}));
    }
};
template <class T>
struct Bfi {
    using Type = T;
    static T apply(T a, T b, std::uint32_t position, std::uint32_t length) {
        position = field_operand<T>(position);
        length = field_operand<T>(length);
        if (position >= bits_of<T> || length == 0) return b;
        const unsigned count = length < bits_of<T> - position ? length : bits_of<T> - position;
        const T ones = count >= bits_of<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << count) - 1);
        return static_cast<T>((b & ~(ones << position)) | ((a & ones) << position));
    }
};
template <bool wrap>
struct Bmsk {
    using Type = std::uint32_t;
    static std::uint32_t apply(std::uint32_t position, std::uint32_t length) {
        if (wrap) {
            position &= 31;
            length &= 31;
        }
        const std::uint64_t ones = length >= 32 ? 0xffffffffull : (1ull << length) - 1;
        return position >= 32 ? 0 : static_cast<std::uint32_t>(ones << position);
    }
};
template <class T, bool wrap>
struct Szext {
    using Type = T;
    static T apply(T a, std::uint32_t width) {
        if (wrap) width &= 31;
        if (width >= 32) return a;
        if (width == 0) return 0;
        const std::uint32_t shifted = static_cast<std::uint32_t>(a) << (32 - width);
        return std::is_signed_v<T> ? static_cast<T>(static_cast<std::int32_t>(shifted) >> (32 - width))
                                   : static_cast<T>(shifted >> (32 - width));
    }
};
template <class T>
struct Sad {
    using Type = T;
    static T apply(T a, T b, T c) {
        return Add<T>::apply(c, a < b ? Sub<T>::apply(b, a) : Sub<T>::apply(a, b));
    }
};

// Byte permute modes of prmt (9.7.9.7).
enum class Prmt : std::uint8_t { index, f4e, b4e, rc8, ecl, ecr, rc16 };
inline std::uint32_t prmt_selector(Prmt mode, std::uint32_t c) {
    const std::uint32_t k = c & 3;
    auto nibbles = [](std::uint32_t b0, std::uint32_t b1, std::uint32_t b2, std::uint32_t b3) {
        return (b0 & 7) | (b1 & 7) << 4 | (b2 & 7) << 8 | (b3 & 7) << 12;
    };
    switch (mode) {
        case Prmt::index:
            return c & 0xffff;
        case Prmt::f4e:
            return nibbles(k, k + 1, k + 2, k + 3);
        case Prmt::b4e:
            return nibbles(k, k - 1, k - 2, k - 3);
        case Prmt::rc8:
            return nibbles(k, k, k, k);
        case Prmt::ecl:
            return nibbles(k, k > 1 ? k : 1, k > 2 ? k : 2, 3);
        case Prmt::ecr:
            return nibbles(0, k < 1 ? k : 1, k < 2 ? k : 2, k);
        case Prmt::rc16:
            return nibbles(2 * (k & 1), 2 * (k & 1) + 1, 2 * (k & 1), 2 * (k & 1) + 1);
    }
    return 0;
}
template <Prmt mode>
struct Permute {
    using Type = std::uint32_t;
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
        const std::uint32_t selector = prmt_selector(mode, c);
        std::uint32_t result = 0;
        for (unsigned i = 0; i < 4; ++i) {
            const std::uint32_t nibble = selector >> (4 * i);
            auto byte = static_cast<std::uint32_t>(bytes >> (8 * (nibble & 7)) & 0xff);
            if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
            result |= byte << (8 * i);
        }
        return result;
    }
};
inline std::uint32_t lop3(std::uint32_t a, std::uint32_t b, std::uint32_t c, unsigned table) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 8; ++i) {
        if ((table >> i & 1) == 0) continue;
        result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    }
    return result;
}
template <bool left, bool wrap>
struct Shf {
    using Type = std::uint32_t;
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const std::uint32_t n = wrap ? c & 31 : (c < 32 ? c : 32);
        const std::uint64_t both = std::uint64_t{b} << 32 | a;
        return left ? static_cast<std::uint32_t>((both << n) >> 32) : static_cast<std::uint32_t>(both >> n);
    }
};
template <class A, class B>
struct Dp4a {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        for (unsigned i = 0; i < 4; ++i)
            c += static_cast<std::uint32_t>(std::int32_t{static_cast<A>(a >> (8 * i))} *
                                            std::int32_t{static_cast<B>(b >> (8 * i))});
        return c;
    }
};
// Two 16-bit times two of the four 8-bit parts: the lower pair or, with hi, the upper.
template <class A16, class B8, bool hi>
struct Dp2a {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        for (unsigned i = 0; i < 2; ++i)
            c += static_cast<std::uint32_t>(std::int64_t{static_cast<A16>(a >> (16 * i))} *
                                            std::int64_t{static_cast<B8>(b >> (8 * (i + (hi ? 2 : 0))))});
        return c;
    }
};
// The n-th set bit of the mask from `base` on: upwards for n > 0, downwards for n < 0, `base` itself for 0.
struct Fns {
    static std::uint32_t apply(std::uint32_t mask, std::uint32_t base, std::uint32_t offset) {
        const auto n = static_cast<std::int32_t>(offset);
        if (base > 31) return ~0u;
        if (n == 0) return mask >> base & 1 ? base : ~0u;
        std::uint32_t left = n > 0 ? static_cast<std::uint32_t>(n) : 0u - static_cast<std::uint32_t>(n);
        for (std::int32_t i = static_cast<std::int32_t>(base); i >= 0 && i<32; i += n> 0 ? 1 : -1)
            if (mask >> i & 1 && --left == 0) return static_cast<std::uint32_t>(i);
        return ~0u;
    }
};

// Packed 16-bit integers.
template <class T, template <class> class Half>
struct Packed16 {
    using Type = std::uint32_t;
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
        const auto low = static_cast<std::uint16_t>(Half<T>::apply(static_cast<T>(a), static_cast<T>(b)));
        const auto high =
            static_cast<std::uint16_t>(Half<T>::apply(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
        return low | std::uint32_t{high} << 16;
    }
};

}  // namespace op

// Comparisons of set and setp. The ones that end in u are true when an operand is NaN.
enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
template <Compare compare, class T>
constexpr bool compared(T a, T b) {
    if constexpr (compare == Compare::eq) return a == b;
    if constexpr (compare == Compare::ne) return a < b || a > b;  // false for NaN, unlike C++
    if constexpr (compare == Compare::lt) return a < b;
    if constexpr (compare == Compare::le) return a <= b;
    if constexpr (compare == Compare::gt) return a > b;
    if constexpr (compare == Compare::ge) return a >= b;
    if constexpr (compare == Compare::equ) return !(a < b || a > b);
    if constexpr (compare == Compare::neu) return !(a == b);
    if constexpr (compare == Compare::ltu) return !(a >= b);
    if constexpr (compare == Compare::leu) return !(a > b);
    if constexpr (compare == Compare::gtu) return !(a <= b);
    if constexpr (compare == Compare::geu) return !(a < b);
    if constexpr (compare == Compare::num) return a == a && b == b;
    if constexpr (compare == Compare::nan) return !(a == a && b == b);
    return false;
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
