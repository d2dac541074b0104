#include "ptx/used_types.h"

#include <gtest/gtest.h>

#include "ptx/debug_info.h"
#include "ptx_text.h"

namespace lanescope::ptx {
namespace used_types_test {

// The type of the cells of `s`, which this code uses.
Type cells(const std::string& code, const std::string& variables = ".shared .align 16 .b8 s[1024];") {
    const Module module = parsed(header + variables +
                                 "\n.entry k(.param .u64 p) { .reg .b16 %h<9>; .reg .b32 %r<20>; "
                                 ".reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<9>; mov.u32 %r1, s; " +
                                 code + " }");
    const auto found = accessed_types(module);
    const auto s = found.find("s");
    return s == found.end() ? Type::none : s->second;
}

TEST(UsedTypes, the_instruction_says_the_type) {
    EXPECT_EQ(cells("ld.shared.f32 %f1, [%r1];"), Type::f32);
    EXPECT_EQ(cells("st.shared.f64 [%r1+8], 0d3FF0000000000000;"), Type::f64);
    EXPECT_EQ(cells("ld.shared.s8 %r2, [%r1];"), Type::s8);
    EXPECT_EQ(cells("cvta.shared.u64 %rd1, %rd2; mov.u64 %rd2, s; ld.f32 %f1, [%rd2];"), Type::f32)
        << "a generic address";
    EXPECT_EQ(cells("add.s32 %r2, %r1, 64; red.shared.add.f32 [%r2], %f1;"), Type::f32);
}

TEST(UsedTypes, the_use_of_the_register_says_the_type) {
    EXPECT_EQ(cells("ld.shared.b32 %r2, [%r1]; fma.rn.f32 %f1, %r2, %f2, %f3;"), Type::f32);
    EXPECT_EQ(cells("ld.shared.v2.b32 {%r2, %r3}, [%r1]; mov.b32 %f1, %r3;"), Type::f32);
    EXPECT_EQ(cells("ld.shared.b32 %r2, [%r1]; setp.lt.s32 %p1, %r2, 0;"), Type::s32);
    EXPECT_EQ(cells("ld.shared.b32 %r2, [%r1]; setp.lt.u32 %p1, %r2, 7;"), Type::u32);
    EXPECT_EQ(cells("ld.shared.b16 %h1, [%r1]; cvt.f32.f16 %f1, %h1;"), Type::f16);
    EXPECT_EQ(cells("ld.shared.b16 %h1, [%r1]; cvt.f32.bf16 %f1, %h1;"), Type::bf16);
    EXPECT_EQ(cells("ld.shared.b32 %r2, [%r1]; mov.b32 {%h1, %h2}, %r2; cvt.f32.f16 %f1, %h1;"), Type::f16)
        << "two halves in one register";
    EXPECT_EQ(cells("ld.shared.b32 %r2, [%r1];"), Type::u32);
}

TEST(UsedTypes, a_matrix_operation_has_the_types_of_its_operands) {
    const std::string loads = "ld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [%r1]; ";
    EXPECT_EQ(cells(loads + "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r10, %r11, %r12, %r13}, "
                            "{%r2, %r3, %r4, %r5}, {%r6, %r7}, {%r10, %r11, %r12, %r13};"),
              Type::f32);
    EXPECT_EQ(cells(loads + "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r10, %r11, %r12, %r13}, "
                            "{%r2, %r3, %r4, %r5}, {%r6, %r7}, {%r10, %r11, %r12, %r13};"),
              Type::f16)
        << "packed halves, not floats";
}

TEST(UsedTypes, most_accesses_decide_and_copies_do_not) {
    EXPECT_EQ(cells("ld.shared.f32 %f1, [%r1]; st.shared.f32 [%r1], %f1; ld.shared.b64 %rd1, [%r1];"),
              Type::f32);
    EXPECT_EQ(cells("cp.async.ca.shared.global [%r1], [%rd1], 16;"), Type::none);
}

TEST(UsedTypes, variables_without_debug_information_have_them) {
    const Module module =
        parsed(header + ".shared .align 4 .b8 s[128];\n.extern .shared .align 16 .b8 d[];\n" +
               ".entry k() { .reg .f32 %f<3>; .reg .b32 %r<3>; ld.shared.f32 %f1, [s+4]; "
               "ld.shared.s32 %r1, [d]; }");
    const Result<DebugInfo> debug = read_debug_info(module, "");
    ASSERT_TRUE(debug);
    ASSERT_NE(debug->find_symbol("s"), nullptr);
    EXPECT_EQ(debug->types[debug->find_symbol("s")->type].name, "float[32]");
    EXPECT_EQ(debug->types[debug->find_symbol("d")->type].name, "int[]");
}

}  // namespace used_types_test
}  // namespace lanescope::ptx
