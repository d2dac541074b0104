#include "ptx/link.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace lanescope::ptx {
namespace link_test {

const std::string header =
    "// made by a compiler { not a body ;\n.version 9.0\n.target sm_90, debug\n.address_size 64\n";

const std::string caller = header + R"(
.extern .func (.param .b32 result) twice
(
    .param .b32 x
)
;
.extern .global .align 4 .u32 offset;
.weak .func shared_helper() { .loc 1 3 0
 ret; }
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<3>; .reg .b64 %rd<2>;
    .loc	1 9 5
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    { .param .b32 p; .param .b32 q; st.param.b32 [p], %r1; call.uni (q), twice, (p); ld.param.b32 %r1, [q]; }
    ld.global.u32 %r2, [offset];
    add.s32 %r1, %r1, %r2;
    st.global.u32 [%rd1], %r1;
    ret;
}
.file 1 "a.cu"
.section .debug_str { .b8 65 }
)";

const std::string callee = header + R"(
.visible .global .align 4 .u32 offset = 5;
.visible .global .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.weak .func shared_helper() { ret; }
.visible .func (.param .b32 result) twice(.param .b32 x)
{
    .local .align 8 .b8 __local_depot0[16];
    .reg .b32 %r<2>;
    .loc 1 2 1, function_name $L__info_string0, inlined_at 1 7 3
    ld.param.b32 %r1, [x];
    add.s32 %r1, %r1, %r1;
    st.param.b32 [result], %r1;
    ret;
}
.file 1 "b.cu"
.section .debug_str { $L__info_string0: .b8 66 }
)";

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

TEST(Link, names_of_other_files_are_found) {
    const auto text = link({caller, callee}, 0);
    ASSERT_TRUE(text.ok());
    const auto module = parse(*text, "linked");
    ASSERT_TRUE(module.ok()) << to_text(module.diagnostics()) << *text;
    std::size_t bodies = 0;
    for (const Function& function : module->functions)
        bodies += function.has_body && function.name == "twice";
    EXPECT_EQ(bodies, 1u);
    EXPECT_EQ(count(*text, ".version"), 1u);
    EXPECT_EQ(count(*text, ".weak .func shared_helper() {"), 1u)
        << "the first definition of an inline function";
    EXPECT_EQ(count(*text, ".section"), 1u);
}

TEST(Link, lines_keep_their_files) {
    const auto text = link({caller, callee}, 0);
    ASSERT_TRUE(text.ok());
    EXPECT_NE(text->find(".loc	1 9 5"), text->npos);
    EXPECT_NE(text->find(".file 200001 \"b.cu\""), text->npos) << *text;
    EXPECT_NE(text->find(".loc 200001 2 1\n"), text->npos)
        << "inlining refers to debug sections that are left out";
    EXPECT_NE(text->find("    .local .align 8 .b8 __local_depot0[16];"), text->npos) << "not a line";
    const auto other = link({caller, callee}, 1);
    ASSERT_TRUE(other.ok());
    EXPECT_NE(other->find(".file 100001 \"a.cu\""), other->npos);
    EXPECT_NE(other->find("function_name $L__info_string0"), other->npos);
    ASSERT_TRUE(parse(*other, "linked").ok());
}

TEST(Link, bad_nothing) {
    EXPECT_FALSE(link({}, 0).ok());
}

}  // namespace link_test
}  // namespace lanescope::ptx
