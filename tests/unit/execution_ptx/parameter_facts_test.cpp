#include "execution/proposal/parameter_facts.h"

#include "ptx/parser.h"
#include "support.h"

namespace lanescope::execution {
namespace parameter_facts_test {

KernelFacts facts(const std::string& parameters, const std::string& body) {
    const Result<ptx::Module> module = ptx::parse(kernel_text(parameters, body));
    EXPECT_TRUE(module) << problems_of(module);
    return module ? facts_of(*module, module->functions.back()) : KernelFacts{};
}

TEST(ParameterFacts, addresses_are_where_memory_is_accessed) {
    const KernelFacts made =
        facts(".param .u64 a, .param .u64 step, .param .u64 b",
              "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [step];\nld.param.u64 %rd3, [b];\n"
              "mov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd4, %r1;\nmul.lo.s64 %rd5, %rd4, %rd2;\n"
              "add.s64 %rd6, %rd1, %rd5;\nld.global.f32 %f1, [%rd6];\n"
              "add.s64 %rd7, %rd3, %rd5;\nst.global.b32 [%rd7], %f1;\n");
    ASSERT_EQ(made.words.size(), 3u);
    EXPECT_TRUE(made.words[0].address && made.words[0].read && !made.words[0].written);
    EXPECT_EQ(made.words[0].element, ptx::Type::f32);
    EXPECT_FALSE(made.words[1].address);
    EXPECT_TRUE(made.words[1].stride);
    EXPECT_TRUE(made.words[2].address && made.words[2].written && !made.words[2].read);
    EXPECT_EQ(made.words[2].element, ptx::Type::f32);  // the register holds a float
    EXPECT_TRUE(made.threads[0]);
}

TEST(ParameterFacts, compared_numbers_are_sizes) {
    const KernelFacts made =
        facts(".param .u32 n, .param .u32 flag, .param .f32 x, .param .u32 unused",
              "ld.param.b32 %r1, [n];\nld.param.b32 %r2, [flag];\nld.param.f32 %f1, [x];\n"
              "mov.u32 %r3, %ctaid.x;\nshl.b32 %r4, %r3, 8;\nmov.u32 %r5, %tid.x;\n"
              "or.b32 %r6, %r4, %r5;\nsetp.lt.s32 %p1, %r6, %r1;\nadd.s32 %r7, %r2, 1;\n");
    EXPECT_TRUE(made.words[0].size);
    EXPECT_FALSE(made.words[1].size || made.words[1].stride);
    EXPECT_TRUE(made.words[2].real);
    EXPECT_FALSE(made.words[3].loaded);
    EXPECT_EQ(made.blocks[0].tile, 256);
    EXPECT_EQ(made.blocks[0].sizes, std::vector<std::size_t>{0});
}

TEST(ParameterFacts, the_blocks_extent_may_be_the_tile) {
    const KernelFacts made = facts(".param .u32 n",
                                   "mov.u32 %r1, %ctaid.y;\nmov.u32 %r2, %ntid.y;\nmov.u32 %r3, %tid.y;\n"
                                   "mad.lo.s32 %r4, %r1, %r2, %r3;\nmov.u32 %r5, %ctaid.x;\n"
                                   "mul.wide.u32 %rd1, %r5, 4;\n");  // an offset in bytes, not a tile
    EXPECT_TRUE(made.blocks[1].times_block);
    EXPECT_FALSE(made.blocks[0].tile);
    EXPECT_TRUE(made.blocks[0].used);
}

TEST(ParameterFacts, values_are_followed_through_the_stack) {
    const KernelFacts made = facts(
        ".param .u64 a",
        ".local .align 8 .b8 depot[16];\nmov.u64 %rd9, depot;\ncvta.local.u64 %rd8, %rd9;\n"
        "ld.param.u64 %rd1, [a];\nst.u64 [%rd8+8], %rd1;\nadd.u64 %rd7, %rd8, 8;\nld.u64 %rd2, [%rd7];\n"
        "ld.f32 %f1, [%rd2];\n");
    EXPECT_TRUE(made.words[0].address);
    EXPECT_TRUE(made.words[0].read);
}

TEST(ParameterFacts, structures_have_words) {
    const KernelFacts made = facts(".param .align 8 .b8 s[32]",
                                   "ld.param.u64 %rd1, [s];\nld.param.u32 %r1, [s+12];\nmov.b64 %rd5, s;\n"
                                   "ld.param.f32 %f1, [%rd5+16];\nst.global.f32 [%rd1], %f1;\n"
                                   "mov.u32 %r2, %tid.x;\nsetp.lt.s32 %p1, %r2, %r1;\n");
    ASSERT_EQ(made.words.size(), 3u);
    EXPECT_TRUE(made.words[0].address);
    EXPECT_EQ(made.words[1].offset, 12u);
    EXPECT_TRUE(made.words[1].size);
    EXPECT_EQ(made.words[2].offset, 16u);
    EXPECT_TRUE(made.words[2].real);
}

}  // namespace parameter_facts_test
}  // namespace lanescope::execution
