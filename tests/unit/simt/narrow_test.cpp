// Narrow floats, packed values and other rare forms of PTX ISA 9.7, with expected values worked out by hand.
#include <gtest/gtest.h>

#include "one_instruction.h"

namespace lanescope::simt {
namespace narrow_test {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S32 = std::int32_t;

constexpr U32 one = 0x3f800000, minus_two = 0xc0000000, infinity = 0x7f800000, not_a_number = 0x7fc00000;

template <class D, class A>
std::vector<D> of(const std::string& code, std::vector<A> a) {
    return apply<D>(code, a);
}
template <class D, class A, class B>
std::vector<D> of(const std::string& code, std::vector<A> a, std::vector<B> b) {
    return apply<D>(code, a, b);
}

TEST(Narrow, pairs_of_8_bit_floats) {
    // 1 and -2; values around 448, the greatest e4m3; 2^-9, the smallest e4m3; half of that, a tie that
    // rounds to even. The greatest e5m2 is 57344, the smallest 2^-16.
    const std::vector<U32> high{one, 0x43e00000, 0x44000000, infinity, 0x3b000000, 0x3a800000, not_a_number},
        low{minus_two, 0xc3e00000, 0xff800000, 0, 0x3b400000, 0x3ac00000, 0x80000000};
    EXPECT_EQ(of<U16>("cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", high, low),
              (std::vector<U16>{0x38c0, 0x7efe, 0x7efe, 0x7e00, 0x0102, 0x0001, 0x7f80}));
    EXPECT_EQ(of<U16>("cvt.rn.satfinite.relu.e4m3x2.f32 %d, %a, %b;", high, low),
              (std::vector<U16>{0x3800, 0x7e00, 0x7e00, 0x7e00, 0x0102, 0x0001, 0x7f00}));
    EXPECT_EQ(of<U16>("cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b;",
                      std::vector<U32>{one, 0x47600000, infinity, 0x37800000},
                      std::vector<U32>{minus_two, 0xc7600000, 0x47800000, 0x37000000}),
              (std::vector<U16>{0x3cc0, 0x7bfb, 0x7b7b, 0x0100}));
    EXPECT_EQ(of<U32>("cvt.rn.f16x2.e4m3x2 %d, %a;", std::vector<U16>{0x38c0, 0x7e01, 0x7f00}),
              (std::vector<U32>{0x3c00c000, 0x5f001800, 0x7fff0000}));
    EXPECT_EQ(of<U32>("cvt.rn.relu.f16x2.e5m2x2 %d, %a;", std::vector<U16>{0x3cc0, 0x7cfc, 0x0101}),
              (std::vector<U32>{0x3c000000, 0x7c000000, 0x01000100}));
    EXPECT_EQ(of<U16>("cvt.rn.satfinite.e4m3x2.f16x2 %d, %a;", std::vector<U32>{0x3c00c000, 0x7bff0000}),
              (std::vector<U16>{0x38c0, 0x7e00}));
}

TEST(Narrow, clamped_conversions) {
    const std::vector<U32> values{one, minus_two, 0x47800000 /* 65536 */, infinity, not_a_number};
    EXPECT_EQ(of<U16>("cvt.rn.satfinite.f16.f32 %d, %a;", values),
              (std::vector<U16>{0x3c00, 0xc000, 0x7bff, 0x7bff, 0x7fff}));
    EXPECT_EQ(of<U16>("cvt.rn.relu.f16.f32 %d, %a;", values),
              (std::vector<U16>{0x3c00, 0x0000, 0x7c00, 0x7c00, 0x7fff}));
    EXPECT_EQ(of<U16>("cvt.rz.relu.satfinite.bf16.f32 %d, %a;", values),
              (std::vector<U16>{0x3f80, 0x0000, 0x4780, 0x7f7f, 0x7fff}));
    EXPECT_EQ(of<U32>("cvt.rn.satfinite.f16x2.f32 %d, %a, %b;", std::vector<U32>{one},
                      std::vector<U32>{0xff800000}),
              (std::vector<U32>{0x3c00fbff}));
    EXPECT_EQ(of<U32>("cvt.rna.satfinite.tf32.f32 %d, %a;", values),
              (std::vector<U32>{one, minus_two, 0x47800000, 0x7f7fe000, 0x7fbfe000}));
    EXPECT_EQ(of<U32>("cvt.rn.relu.tf32.f32 %d, %a;", values),
              (std::vector<U32>{one, 0, 0x47800000, infinity, 0x7fffe000}));
}

TEST(Narrow, integers_become_narrow_floats) {
    // 2049 lies between 2048 and 2050 in f16. Only the last bit of 2^60 + 2^52 + 1 takes it beyond the middle
    // between two bf16.
    EXPECT_EQ(of<U16>("cvt.rn.f16.u32 %d, %a;", std::vector<U32>{2049, 2051, 65519, 65520}),
              (std::vector<U16>{0x6800, 0x6802, 0x7bff, 0x7c00}));
    EXPECT_EQ(of<U16>("cvt.rp.f16.u32 %d, %a;", std::vector<U32>{2049, 0}), (std::vector<U16>{0x6801, 0}));
    EXPECT_EQ(of<U16>("cvt.rz.f16.s32 %d, %a;", std::vector<U32>{static_cast<U32>(-2051), 70000}),
              (std::vector<U16>{0xe801, 0x7bff}));
    EXPECT_EQ(of<U16>("cvt.rm.f16.s32 %d, %a;", std::vector<U32>{static_cast<U32>(-2051)}),
              (std::vector<U16>{0xe802}));
    EXPECT_EQ(of<U16>("cvt.rn.sat.f16.s32 %d, %a;", std::vector<U32>{5, static_cast<U32>(-5), 0}),
              (std::vector<U16>{0x3c00, 0, 0}));
    EXPECT_EQ(of<U16>("cvt.rn.bf16.u64 %d, %a;",
                      std::vector<U64>{(1ull << 60) + (1ull << 52) + 1, (1ull << 60) + (1ull << 52), 3}),
              (std::vector<U16>{0x5d81, 0x5d80, 0x4040}));
    EXPECT_EQ(of<U32>("cvt.rn.sat.f32.s32 %d, %a;", std::vector<U32>{7, 0, static_cast<U32>(-7)}),
              (std::vector<U32>{one, 0, 0}));
    EXPECT_EQ(of<U16>("cvt.rni.bf16.bf16 %d, %a;", std::vector<U16>{0x3fc0, 0x4020}),
              (std::vector<U16>{0x4000, 0x4000}));
    EXPECT_EQ(of<U16>("cvt.rzi.sat.f16.f16 %d, %a;", std::vector<U16>{0x4500, 0x3bff, 0xc000}),
              (std::vector<U16>{0x3c00, 0, 0}));
}

TEST(Narrow, packs_of_saturated_integers) {
    const std::vector<U32> a{1, 40000, static_cast<U32>(-40000)}, b{2, static_cast<U32>(-3), 100000};
    EXPECT_EQ(of<U32>("cvt.pack.sat.u16.s32 %d, %a, %b;", a, b),
              (std::vector<U32>{0x00010002, 0x9c400000, 0x0000ffff}));
    EXPECT_EQ(of<U32>("cvt.pack.sat.s16.s32 %d, %a, %b;", a, b),
              (std::vector<U32>{0x00010002, 0x7ffffffd, 0x80007fff}));
    auto with_c = [&](const std::string& code) {
        return apply<U32>(code, a, b, std::vector<U32>{0x12345678, 0x12345678, 0x12345678});
    };
    EXPECT_EQ(with_c("cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;"),
              (std::vector<U32>{0x56780102, 0x5678ff00, 0x567800ff}));
    EXPECT_EQ(with_c("cvt.pack.sat.s8.s32.b32 %d, %a, %b, %c;"),
              (std::vector<U32>{0x56780102, 0x56787ffd, 0x5678807f}));
    EXPECT_EQ(with_c("cvt.pack.sat.u4.s32.b32 %d, %a, %b, %c;"),
              (std::vector<U32>{0x34567812, 0x345678f0, 0x3456780f}));
    EXPECT_EQ(with_c("cvt.pack.sat.s2.s32.b32 %d, %a, %b, %c;"),
              (std::vector<U32>{0x23456785, 0x23456786, 0x23456789}));
}

TEST(Narrow, extremes_of_magnitudes) {
    // min(|-1|, |2|) = 1 with the product of the signs
    EXPECT_EQ(of<U16>("min.xorsign.abs.f16 %d, %a, %b;", std::vector<U16>{0xbc00, 0x7e00},
                      std::vector<U16>{0x4000, 0xc000}),
              (std::vector<U16>{0xbc00, 0xc000}));
    EXPECT_EQ(
        of<U16>("max.NaN.xorsign.abs.bf16 %d, %a, %b;", std::vector<U16>{0xbf80}, std::vector<U16>{0xc000}),
        (std::vector<U16>{0x4000}));
    EXPECT_EQ(of<U32>("max.xorsign.abs.f16x2 %d, %a, %b;", std::vector<U32>{0xbc003c00},
                      std::vector<U32>{0x4000c000}),
              (std::vector<U32>{0xc000c000}));
    EXPECT_EQ(of<U32>("min.ftz.xorsign.abs.f32 %d, %a, %b;", std::vector<U32>{0x00000001},
                      std::vector<U32>{minus_two}),
              (std::vector<U32>{0x80000000}));
    EXPECT_EQ(apply<U32>("max.f32 %d, %a, %b, %c;", std::vector<U32>{one}, std::vector<U32>{minus_two},
                         std::vector<U32>{0x40000000}),
              (std::vector<U32>{0x40000000}));
}

TEST(Narrow, flushed_halves) {
    EXPECT_EQ(of<U16>("neg.ftz.f16 %d, %a;", std::vector<U16>{0x0001, 0x8001, 0x3c00}),
              (std::vector<U16>{0x8000, 0x0000, 0xbc00}));
    EXPECT_EQ(of<U32>("abs.ftz.f16x2 %d, %a;", std::vector<U32>{0x80018400}), (std::vector<U32>{0x00000400}));
    EXPECT_EQ(of<U32>("setp.eq.ftz.f16 %q0, %a, %b;\nselp.b32 %d, 1, 0, %q0;",
                      std::vector<U16>{0x0001, 0x0400}, std::vector<U16>{0x8000, 0}),
              (std::vector<U32>{1, 0}));
    EXPECT_EQ(apply<U16>("fma.rn.ftz.relu.f16 %d, %a, %b, %c;", std::vector<U16>{0xbc00, 0x3c00},
                         std::vector<U16>{0x3c00, 0x3c00}, std::vector<U16>{0, 0x0001}),
              (std::vector<U16>{0, 0x3c00}));
}

TEST(Narrow, comparisons_of_pairs_as_values) {
    const std::vector<U32> a{0x3c004000}, b{0x40004000};
    EXPECT_EQ(of<U32>("set.eq.f16x2.f16x2 %d, %a, %b;", a, b), (std::vector<U32>{0x00003c00}));
    EXPECT_EQ(of<U32>("set.lt.u32.f16x2 %d, %a, %b;", a, b), (std::vector<U32>{0xffff0000}));
    EXPECT_EQ(of<U32>("set.le.bf16x2.bf16x2 %d, %a, %b;", a, b), (std::vector<U32>{0x3f803f80}));
}

TEST(Forms, logic_with_a_test) {
    // 0x80 is a & b & c; p = (d != 0) and q
    const std::string code =
        "setp.eq.u32 %q1, %b, 6;\nlop3.and.b32 %t0|%q0, %a, %b, %a, 0x80, %q1;\nselp.b32 %t1, 256, 0, "
        "%q0;\nor.b32 %d, %t0, %t1;";
    EXPECT_EQ(of<U32>(code, std::vector<U32>{12, 12, 8}, std::vector<U32>{6, 4, 6}),
              (std::vector<U32>{256 + 4, 4, 0}));
    EXPECT_EQ(
        of<U32>(
            "setp.eq.u32 %q1, %b, 6;\nlop3.or.b32 _|%q0, %a, %b, %a, 0x80, !%q1;\nselp.b32 %d, 1, 0, %q0;",
            std::vector<U32>{12, 8, 8}, std::vector<U32>{6, 4, 6}),
        (std::vector<U32>{1, 1, 0}));
}

TEST(Forms, pairs_of_floats) {
    const std::vector<U64> a{0x400000003f800000ull}, b{0x3f80000040000000ull}, c{0x3f8000003f800000ull};
    EXPECT_EQ(of<U64>("add.rn.f32x2 %d, %a, %b;", a, b), (std::vector<U64>{0x4040000040400000ull}));
    EXPECT_EQ(of<U64>("mul.f32x2 %d, %a, %b;", a, b), (std::vector<U64>{0x4000000040000000ull}));
    EXPECT_EQ(apply<U64>("fma.rn.ftz.f32x2 %d, %a, %b, %c;", a, b, c),
              (std::vector<U64>{0x4040000040400000ull}));
}

TEST(Forms, bulk_stores_of_zeros) {
    EXPECT_EQ(
        of<U32>("{\n.shared .align 8 .b8 room[8192];\n.reg .b32 %where;\nmov.u32 %where, room;\nmad.lo.u32 "
                "%where, "
                "%i, 16, %where;\nst.shared.v2.u32 [%where], {%a, %a};\nst.shared.v2.u32 [%where+8], {%a, "
                "%a};\nst.bulk.weak.shared::cta [%where], 8, 0;\nld.shared.u32 %t0, "
                "[%where+4];\nld.shared.u32 %t1, "
                "[%where+8];\nmad.lo.u32 %d, %t0, 1000, %t1;\n}",
                std::vector<U32>{5, 6}),
        (std::vector<U32>{5, 6}));
}

}  // namespace narrow_test
}  // namespace lanescope::simt
