// Compares integer arithmetic, bits and shifts of edge values with 128-bit arithmetic
// and bit-by-bit definitions.
#include <gtest/gtest.h>

#include "one_instruction.h"

namespace lanescope::simt {
namespace integer_test {

using U16 = std::uint16_t;
using S16 = std::int16_t;
using U32 = std::uint32_t;
using S32 = std::int32_t;
using U64 = std::uint64_t;
using S64 = std::int64_t;
__extension__ typedef __int128 Big;

template <class T>
std::string name() {
    return (std::is_signed_v<T> ? "s" : "u") + std::to_string(sizeof(T) * 8);
}
template <class T>
T low(Big value) {
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(value));
}
template <class T>
T high(Big value) {
    return static_cast<T>(value >> (sizeof(T) * 8));
}
// Does not use 128-bit products for 64-bit operands, because they do not hold all products of u64.
template <class T>
T high_product(T a, T b) {
    if constexpr (sizeof(T) < 8) return high<T>(Big{a} * b);
    const bool negative_a = std::is_signed_v<T> && a < 0, negative_b = std::is_signed_v<T> && b < 0;
    const U64 x = static_cast<U64>(a), y = static_cast<U64>(b);
    const U64 x0 = x & 0xffffffff, x1 = x >> 32, y0 = y & 0xffffffff, y1 = y >> 32;
    const U64 middle = x1 * y0 + (x0 * y0 >> 32);
    const U64 other = x0 * y1 + (middle & 0xffffffff);
    U64 top = x1 * y1 + (middle >> 32) + (other >> 32);
    if (negative_a) top -= y;
    if (negative_b) top -= x;
    return static_cast<T>(top);
}

template <class T>
void check_sums() {
    const std::string t = name<T>();
    check2<T>("add." + t + " %d, %a, %b;", edges<T>(), edges<T>(),
              [](T a, T b) { return low<T>(Big{a} + b); });
    check2<T>("sub." + t + " %d, %a, %b;", edges<T>(), edges<T>(),
              [](T a, T b) { return low<T>(Big{a} - b); });
    check2<T>("min." + t + " %d, %a, %b;", edges<T>(), edges<T>(), [](T a, T b) { return std::min(a, b); });
    check2<T>("max." + t + " %d, %a, %b;", edges<T>(), edges<T>(), [](T a, T b) { return std::max(a, b); });
}
template <class T>
void check_products() {
    const std::string t = name<T>();
    check2<T>("mul.lo." + t + " %d, %a, %b;", edges<T>(), edges<T>(),
              [](T a, T b) { return low<T>(static_cast<Big>(static_cast<U64>(a) * static_cast<U64>(b))); });
    check2<T>("mul.hi." + t + " %d, %a, %b;", edges<T>(), edges<T>(), high_product<T>);
    check3<T>("mad.lo." + t + " %d, %a, %b, %c;", few_edges<T>(), few_edges<T>(), few_edges<T>(),
              [](T a, T b, T c) {
                  return static_cast<T>(static_cast<U64>(a) * static_cast<U64>(b) + static_cast<U64>(c));
              });
    check3<T>("mad.hi." + t + " %d, %a, %b, %c;", few_edges<T>(), few_edges<T>(), few_edges<T>(),
              [](T a, T b, T c) { return low<T>(Big{high_product(a, b)} + c); });
    check3<T>("sad." + t + " %d, %a, %b, %c;", few_edges<T>(), few_edges<T>(), few_edges<T>(),
              [](T a, T b, T c) { return low<T>(Big{c} + (a > b ? Big{a} - b : Big{b} - a)); });
}
template <class T>
void check_quotients() {
    const std::string t = name<T>();
    check2<T>("div." + t + " %d, %a, %b;", edges<T>(), edges<T>(),
              [](T a, T b) { return b == 0 ? static_cast<T>(-1) : low<T>(Big{a} / b); });
    check2<T>("rem." + t + " %d, %a, %b;", edges<T>(), edges<T>(),
              [](T a, T b) { return b == 0 ? static_cast<T>(-1) : low<T>(Big{a} % b); });
}
template <class T>
void check_all() {
    check_sums<T>();
    check_products<T>();
    check_quotients<T>();
}

TEST(Integer, sixteen_bits) {
    check_all<U16>();
    check_all<S16>();
}
TEST(Integer, thirty_two_bits) {
    check_all<U32>();
    check_all<S32>();
}
TEST(Integer, sixty_four_bits) {
    check_all<U64>();
    check_all<S64>();
}

TEST(Integer, wide_products) {
    check2<U32>("mul.wide.u16 %d, %a, %b;", edges<U16>(), edges<U16>(),
                [](U16 a, U16 b) { return low<U32>(Big{a} * b); });
    check2<S32>("mul.wide.s16 %d, %a, %b;", edges<S16>(), edges<S16>(),
                [](S16 a, S16 b) { return low<S32>(Big{a} * b); });
    check2<U64>("mul.wide.u32 %d, %a, %b;", edges<U32>(), edges<U32>(),
                [](U32 a, U32 b) { return low<U64>(Big{a} * b); });
    check2<S64>("mul.wide.s32 %d, %a, %b;", edges<S32>(), edges<S32>(),
                [](S32 a, S32 b) { return low<S64>(Big{a} * b); });
    check3<S64>("mad.wide.s32 %d, %a, %b, %c;", few_edges<S32>(), few_edges<S32>(), few_edges<S64>(),
                [](S32 a, S32 b, S64 c) { return low<S64>(Big{a} * b + c); });
}

TEST(Integer, saturating_sums) {
    auto clamp = [](Big value) {
        return static_cast<S32>(std::min<Big>(std::max<Big>(value, std::numeric_limits<S32>::min()),
                                              std::numeric_limits<S32>::max()));
    };
    check2<S32>("add.sat.s32 %d, %a, %b;", edges<S32>(), edges<S32>(),
                [&](S32 a, S32 b) { return clamp(Big{a} + b); });
    check2<S32>("sub.sat.s32 %d, %a, %b;", edges<S32>(), edges<S32>(),
                [&](S32 a, S32 b) { return clamp(Big{a} - b); });
    check3<S32>("mad.hi.sat.s32 %d, %a, %b, %c;", few_edges<S32>(), few_edges<S32>(), few_edges<S32>(),
                [&](S32 a, S32 b, S32 c) { return clamp((Big{a} * b >> 32) + c); });
}

TEST(Integer, twenty_four_bits) {
    auto cut = [](S32 a) { return a << 8 >> 8; };
    check2<S32>("mul24.lo.s32 %d, %a, %b;", edges<S32>(), edges<S32>(),
                [&](S32 a, S32 b) { return low<S32>(Big{cut(a)} * cut(b)); });
    check2<S32>("mul24.hi.s32 %d, %a, %b;", edges<S32>(), edges<S32>(),
                [&](S32 a, S32 b) { return low<S32>((Big{cut(a)} * cut(b)) >> 16); });
    check2<U32>("mul24.hi.u32 %d, %a, %b;", edges<U32>(), edges<U32>(),
                [](U32 a, U32 b) { return low<U32>((Big{a & 0xffffff} * (b & 0xffffff)) >> 16); });
}

TEST(Integer, carry_chains_make_128_bit_sums) {
    // {d, e} = {a, b} + {c, c}: the low word's carry goes into the high word.
    check3<U32>("add.cc.u32 %t0, %a, %b; addc.u32 %d, %c, 0;", few_edges<U32>(), few_edges<U32>(),
                few_edges<U32>(),
                [](U32 a, U32 b, U32 c) { return static_cast<U32>(c + ((U64{a} + b) >> 32)); });
    check3<U32>("sub.cc.u32 %t0, %a, %b; subc.u32 %d, %c, 0;", few_edges<U32>(), few_edges<U32>(),
                few_edges<U32>(), [](U32 a, U32 b, U32 c) { return c - (a < b ? 1u : 0u); });
    check3<U64>("add.cc.u64 %d, %a, %b; addc.cc.u64 %d, %c, %c; addc.u64 %d, 0, 0;", few_edges<U64>(),
                few_edges<U64>(), few_edges<U64>(), [](U64 a, U64 b, U64 c) {
                    const U64 carry = a + b < a ? 1 : 0;
                    return c >> 63 | (2 * c + carry < 2 * c ? 1u : 0u);
                });
    check3<U32>("mad.lo.cc.u32 %t0, %a, %b, %c; madc.hi.u32 %d, %a, %b, %c;", few_edges<U32>(),
                few_edges<U32>(), few_edges<U32>(), [](U32 a, U32 b, U32 c) {
                    const U64 product = U64{a} * b;
                    const U64 sum = (product & 0xffffffff) + c;
                    return static_cast<U32>((product >> 32) + c + (sum >> 32));
                });
}

template <class T>
void check_signs() {
    const std::string t = name<T>();
    check1<T>("neg." + t + " %d, %a;", edges<T>(), [](T a) { return low<T>(-Big{a}); });
    check1<T>("abs." + t + " %d, %a;", edges<T>(), [](T a) { return low<T>(a < 0 ? -Big{a} : Big{a}); });
}
TEST(Integer, signs) {
    check_signs<S16>();
    check_signs<S32>();
    check_signs<S64>();
}

template <class T>
void check_logic() {
    const std::string t = "b" + std::to_string(sizeof(T) * 8);
    check2<T>("and." + t + " %d, %a, %b;", edges<T>(), edges<T>(),
              [](T a, T b) { return static_cast<T>(a & b); });
    check2<T>("or." + t + " %d, %a, %b;", edges<T>(), edges<T>(),
              [](T a, T b) { return static_cast<T>(a | b); });
    check2<T>("xor." + t + " %d, %a, %b;", edges<T>(), edges<T>(),
              [](T a, T b) { return static_cast<T>(a ^ b); });
    check1<T>("not." + t + " %d, %a;", edges<T>(), [](T a) { return static_cast<T>(~a); });
    check1<T>("cnot." + t + " %d, %a;", edges<T>(), [](T a) { return static_cast<T>(a == 0); });
}
TEST(Bits, logic) {
    check_logic<U16>();
    check_logic<U32>();
    check_logic<U64>();
}

template <class T>
void check_shifts() {
    constexpr int width = sizeof(T) * 8;
    const std::vector<U32> counts{0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 0x80000000u, 0xffffffffu};
    check2<T>("shl.b" + std::to_string(width) + " %d, %a, %b;", edges<T>(), counts,
              [](T a, U32 n) { return n >= width ? T{0} : low<T>(Big{a} << n); });
    check2<T>("shr." + name<T>() + " %d, %a, %b;", edges<T>(), counts,
              [](T a, U32 n) { return low<T>(Big{a} >> std::min<U32>(n, 100)); });
}
TEST(Bits, shift_counts_clamp) {
    check_shifts<U16>();
    check_shifts<S16>();
    check_shifts<U32>();
    check_shifts<S32>();
    check_shifts<U64>();
    check_shifts<S64>();
}

template <class T>
void check_counts() {
    constexpr int width = sizeof(T) * 8;
    const std::string t = std::to_string(width);
    check1<U32>("popc.b" + t + " %d, %a;", edges<T>(), [](T a) {
        U32 n = 0;
        for (int i = 0; i < width; ++i)
            n += static_cast<U32>(a >> i & 1);
        return n;
    });
    check1<U32>("clz.b" + t + " %d, %a;", edges<T>(), [](T a) {
        U32 n = 0;
        while (n < width && (a >> (width - 1 - n) & 1) == 0)
            ++n;
        return n;
    });
    check1<T>("brev.b" + t + " %d, %a;", edges<T>(), [](T a) {
        T r = 0;
        for (int i = 0; i < width; ++i)
            r = static_cast<T>(r << 1 | (a >> i & 1));
        return r;
    });
    auto top = [](U64 a) {
        for (int i = width - 1; i >= 0; --i)
            if (a >> i & 1) return static_cast<U32>(i);
        return ~0u;
    };
    using S = std::make_signed_t<T>;
    check1<U32>("bfind.u" + t + " %d, %a;", edges<T>(), [&](T a) { return top(a); });
    check1<U32>("bfind.s" + t + " %d, %a;", edges<S>(),
                [&](S a) { return top(static_cast<U64>(static_cast<T>(a < 0 ? ~a : a))); });
    check1<U32>("bfind.shiftamt.u" + t + " %d, %a;", edges<T>(),
                [&](T a) { return a == 0 ? ~0u : width - 1 - top(a); });
}
TEST(Bits, counts) {
    check_counts<U32>();
    check_counts<U64>();
}

// The PTX ISA "restricts" position and length "to 0..255". Of larger values, 32-bit forms take the low 8
// bits; 64-bit forms take 255.
template <class T>
int field(U32 operand) {
    return static_cast<int>(sizeof(T) == 8 ? std::min(operand, 255u) : operand & 0xff);
}
// Implements the definition of the PTX ISA bit by bit.
template <class T>
T extracted(T a, U32 b, U32 c) {
    constexpr int msb = sizeof(T) * 8 - 1;
    const int pos = field<T>(b), len = field<T>(c);
    const bool is_signed = std::is_signed_v<T>;
    const int sign = !is_signed || len == 0 ? 0 : static_cast<int>(a >> std::min(pos + len - 1, msb) & 1);
    U64 d = 0;
    for (int i = 0; i <= msb; ++i)
        d |= U64(i < len && pos + i <= msb ? static_cast<U64>(a >> (pos + i) & 1) : static_cast<U64>(sign))
             << i;
    return static_cast<T>(d);
}
TEST(Bits, field_extract) {
    const std::vector<U32> positions{0, 1, 5, 31, 32, 40, 63, 64, 255, 256, 300};
    const std::vector<U32> lengths{0, 1, 8, 31, 32, 33, 63, 64, 255, 256};
    check3<U32>("bfe.u32 %d, %a, %b, %c;", few_edges<U32>(), positions, lengths, extracted<U32>);
    check3<S32>("bfe.s32 %d, %a, %b, %c;", few_edges<S32>(), positions, lengths, extracted<S32>);
    check3<U64>("bfe.u64 %d, %a, %b, %c;", few_edges<U64>(), positions, lengths, extracted<U64>);
    check3<S64>("bfe.s64 %d, %a, %b, %c;", few_edges<S64>(), positions, lengths, extracted<S64>);
}

template <class T>
T inserted(T a, T b, U32 c, U32 d) {
    constexpr U32 msb = sizeof(T) * 8 - 1;
    const auto pos = static_cast<U32>(field<T>(c)), len = static_cast<U32>(field<T>(d));
    T f = b;
    for (U32 i = 0; i < len && pos + i <= msb; ++i) {
        f = static_cast<T>(f & ~(T{1} << (pos + i)));
        f = static_cast<T>(f | (a >> i & 1) << (pos + i));
    }
    return f;
}
TEST(Bits, field_insert) {
    const std::vector<U32> positions{0, 5, 31, 32, 63, 64, 255, 256}, lengths{0, 1, 8, 32, 64, 255};
    for (const U32 length : lengths) {
        const std::string l = std::to_string(length);
        check3<U32>("bfi.b32 %d, %a, %b, %c, " + l + ";", few_edges<U32>(), few_edges<U32>(), positions,
                    [&](U32 a, U32 b, U32 c) { return inserted(a, b, c, length); });
        check3<U64>("bfi.b64 %d, %a, %b, %c, " + l + ";", few_edges<U64>(), few_edges<U64>(), positions,
                    [&](U64 a, U64 b, U32 c) { return inserted(a, b, c, length); });
    }
}

TEST(Bits, byte_permute) {
    const std::vector<U32> a{0x83828180u, 0x03020100u}, b{0x87068504u};
    const std::vector<U32> selectors{0x3210, 0x7654, 0x0123, 0xfedc, 0x89ab, 0x5555, 0, 1, 2, 3};
    auto byte = [](U64 all, unsigned i) { return static_cast<U32>(all >> (8 * i) & 0xff); };
    auto joined = [](U32 b0, U32 b1, U32 b2, U32 b3) { return b0 | b1 << 8 | b2 << 16 | b3 << 24; };
    check3<U32>("prmt.b32 %d, %a, %b, %c;", a, b, selectors, [&](U32 x, U32 y, U32 s) {
        const U64 all = U64{y} << 32 | x;
        U32 r = 0;
        for (unsigned i = 0; i < 4; ++i) {
            const U32 n = s >> (4 * i) & 15, v = byte(all, n & 7);
            r |= (n & 8 ? (v & 0x80 ? 0xffu : 0u) : v) << (8 * i);
        }
        return r;
    });
    check3<U32>("prmt.b32.f4e %d, %a, %b, %c;", a, b, selectors, [&](U32 x, U32 y, U32 s) {
        const U64 all = U64{y} << 32 | x;
        const unsigned k = s & 3;
        return joined(byte(all, k), byte(all, k + 1), byte(all, k + 2), byte(all, k + 3));
    });
    check3<U32>("prmt.b32.b4e %d, %a, %b, %c;", a, b, selectors, [&](U32 x, U32 y, U32 s) {
        const U64 all = U64{y} << 32 | x;
        const unsigned k = s & 3;
        return joined(byte(all, k), byte(all, (k + 7) % 8), byte(all, (k + 6) % 8), byte(all, (k + 5) % 8));
    });
    check3<U32>("prmt.b32.ecl %d, %a, %b, %c;", a, b, selectors, [&](U32 x, U32, U32 s) {
        const unsigned k = s & 3;
        return joined(byte(x, k), byte(x, std::max(k, 1u)), byte(x, std::max(k, 2u)), byte(x, 3));
    });
    check3<U32>("prmt.b32.rc16 %d, %a, %b, %c;", a, b, selectors,
                [&](U32 x, U32, U32 s) { return s & 1 ? (x >> 16) * 0x10001u : (x & 0xffff) * 0x10001u; });
}

TEST(Bits, three_input_logic) {
    for (const unsigned table : {0x00u, 0xffu, 0x80u, 0xfeu, 0x96u, 0x1au, 0xc5u})
        check3<U32>("lop3.b32 %d, %a, %b, %c, " + std::to_string(table) + ";", few_edges<U32>(),
                    few_edges<U32>(), few_edges<U32>(), [&](U32 a, U32 b, U32 c) {
                        U32 r = 0;
                        for (unsigned i = 0; i < 32; ++i)
                            r |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
                        return r;
                    });
}

TEST(Bits, funnel_shift) {
    const std::vector<U32> counts{0, 1, 8, 31, 32, 33, 40, 0xffffffffu};
    auto both = [](U32 a, U32 b) { return U64{b} << 32 | a; };
    check3<U32>("shf.l.wrap.b32 %d, %a, %b, %c;", few_edges<U32>(), few_edges<U32>(), counts,
                [&](U32 a, U32 b, U32 c) { return static_cast<U32>(both(a, b) << (c % 32) >> 32); });
    check3<U32>("shf.r.wrap.b32 %d, %a, %b, %c;", few_edges<U32>(), few_edges<U32>(), counts,
                [&](U32 a, U32 b, U32 c) { return static_cast<U32>(both(a, b) >> (c % 32)); });
    check3<U32>("shf.l.clamp.b32 %d, %a, %b, %c;", few_edges<U32>(), few_edges<U32>(), counts,
                [&](U32 a, U32 b, U32 c) { return c >= 32 ? a : static_cast<U32>(both(a, b) << c >> 32); });
    check3<U32>("shf.r.clamp.b32 %d, %a, %b, %c;", few_edges<U32>(), few_edges<U32>(), counts,
                [&](U32 a, U32 b, U32 c) { return c >= 32 ? b : static_cast<U32>(both(a, b) >> c); });
}

TEST(Bits, dot_products) {
    auto dot = [](U32 a, U32 b, U32 c, bool sa, bool sb) {
        S64 sum = static_cast<S32>(c);
        for (unsigned i = 0; i < 4; ++i) {
            const int x = static_cast<int>(a >> (8 * i) & 0xff), y = static_cast<int>(b >> (8 * i) & 0xff);
            sum += S64{sa && x > 127 ? x - 256 : x} * (sb && y > 127 ? y - 256 : y);
        }
        return static_cast<U32>(sum);
    };
    const std::vector<U32> values{0, 0xff80017f, 0x7f7f7f7f, 0x80808080, 0xffffffff, 0x01020304};
    check3<U32>("dp4a.s32.s32 %d, %a, %b, %c;", values, values, values,
                [&](U32 a, U32 b, U32 c) { return dot(a, b, c, true, true); });
    check3<U32>("dp4a.u32.s32 %d, %a, %b, %c;", values, values, values,
                [&](U32 a, U32 b, U32 c) { return dot(a, b, c, false, true); });
    check3<U32>("dp4a.u32.u32 %d, %a, %b, %c;", values, values, values,
                [&](U32 a, U32 b, U32 c) { return dot(a, b, c, false, false); });
}

TEST(Bits, find_nth_set) {
    check3<U32>("fns.b32 %d, %a, %b, %c;", edges<U32>(), std::vector<U32>{0, 1, 5, 16, 31},
                std::vector<U32>{0, 1, 2, 3, 31, 0xffffffffu, 0xfffffffeu},
                [](U32 mask, U32 base, U32 offset) {
                    std::vector<U32> set;
                    const S32 n = static_cast<S32>(offset);
                    if (n == 0) return mask >> base & 1 ? base : ~0u;
                    if (n > 0)
                        for (U32 i = base; i < 32; ++i)
                            if (mask >> i & 1) set.push_back(i);
                    if (n < 0)
                        for (U32 i = base + 1; i-- > 0;)
                            if (mask >> i & 1) set.push_back(i);
                    const auto k = static_cast<std::size_t>(n > 0 ? n : -S64{n}) - 1;
                    return k < set.size() ? set[k] : ~0u;
                });
}

}  // namespace integer_test
}  // namespace lanescope::simt
