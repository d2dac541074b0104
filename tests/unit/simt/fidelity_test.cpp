#include "simt/inspect/fidelity.h"

#include <gtest/gtest.h>

namespace lanescope::simt {

namespace fidelity_test {

using Kind = Fidelity::Kind;

TEST(Fidelity, is_that_of_the_instruction_in_a_line) {
    EXPECT_EQ(fidelity_of("\tadd.f32 \t%f3, %f1, %f2;").kind, Kind::exact);
    EXPECT_EQ(fidelity_of("@!%p1 ex2.approx.ftz.f32 %f1, %f2;").kind, Kind::approximate);
    EXPECT_EQ(fidelity_of("ex2.approx.f32 %f1, %f2;").ulp, 2u);
    EXPECT_EQ(fidelity_of("atom.global.add.f32 %f1, [%rd1], %f2;").kind, Kind::order);
    EXPECT_EQ(fidelity_of("red.global.add.u32 [%rd1], %r1;").kind, Kind::exact);
    EXPECT_EQ(fidelity_of("atom.global.exch.b32 %r1, [%rd1], %r2;").kind, Kind::exact);
    EXPECT_EQ(fidelity_of("mov.u32 %r1, %clock;").kind, Kind::own);
    EXPECT_EQ(fidelity_of("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];").kind,
              Kind::unrecorded);
    EXPECT_EQ(fidelity_of("textual_label:").kind, Kind::exact);
    EXPECT_EQ(fidelity_of("").kind, Kind::exact);
}

TEST(Fidelity, tells_every_inexact_instruction_once_with_its_lines) {
    InexactInstructions inexact;
    for (const std::uint32_t line : {9u, 4u, 9u, 0u})
        inexact.add("sin.approx.f32 %f1, %f2;", line);
    inexact.add("mul.f32 %f1, %f2, %f3;", 5);
    ASSERT_EQ(inexact.found().size(), 1u);
    EXPECT_EQ(inexact.found()[0].instruction, "sin.approx.f32");
    EXPECT_EQ(inexact.found()[0].lines, (std::vector<std::uint32_t>{4, 9}));
    EXPECT_NE(words_of(inexact.found()[0].fidelity).find("at most 3.58e-07"), std::string::npos);
}

}  // namespace fidelity_test
}  // namespace lanescope::simt
