#include "ptx/opcodes.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace lanescope::ptx {
namespace opcodes_test {

TEST(Opcodes, every_mnemonic_is_found_by_its_text_and_texts_are_unique) {
    std::set<std::string_view> seen;
    for (unsigned i = 0; i < op_count(); ++i) {
        const Op op = static_cast<Op>(i);
        EXPECT_TRUE(seen.insert(text(op)).second) << text(op);
        EXPECT_EQ(find_op(text(op)), op) << text(op);
    }
    EXPECT_GT(seen.size(), 140u);
}

struct Row {
    std::string_view name, counted, form, executor;
};
constexpr Row rows[] = {
#define LANESCOPE_OP(name, text, operands, flags, counted, flow, blocks, form, executor) \
    {#name, #counted, #form, #executor},
#include "ptx/opcodes.def"
};

TEST(Opcodes, columns_of_a_row_agree) {
    const std::set<std::string_view> accesses{"load", "store", "atomic"};
    const std::set<std::string_view> without_executor{"load", "store", "query", "unsupported"};
    for (unsigned i = 0; i < op_count(); ++i) {
        const auto [name, counted, form, executor] = rows[i];
        const OpInfo& op = info(static_cast<Op>(i));
        const auto has = [&](unsigned flag) { return (op.flags & flag) != 0; };
        EXPECT_EQ(has(op_flag::access), accesses.contains(counted)) << name;
        EXPECT_TRUE(!has(op_flag::barrier) || counted == "barrier") << name;
        EXPECT_TRUE(!has(op_flag::warp_sync) || counted != "other") << name;
        EXPECT_EQ(executor == "none", without_executor.contains(form)) << name;
    }
}

TEST(Opcodes, other_spellings_mean_the_same) {
    EXPECT_EQ(find_op("bar.cta.sync"), Op::bar_sync);
    EXPECT_EQ(find_op("barrier.cta.red"), Op::barrier_red);
}

TEST(Opcodes, bad_words_are_not_found) {
    for (const char* word : {"", "ad", "adds", "ADD", "cp", "vadd"})
        EXPECT_FALSE(find_op(word)) << word;
    for (const char* word : {"", "u33", ".u32", "shared::", "globals"})
        EXPECT_FALSE(find_suffix(word)) << word;
    EXPECT_FALSE(find_special("%tid"));
}

TEST(Opcodes, suffixes_know_their_kind) {
    EXPECT_EQ(find_type("f16x2"), Type::f16x2);
    EXPECT_EQ(find_space("shared::cta"), Space::shared_cta);
    EXPECT_EQ(find_suffix("L2::cache_hint"),
              (Suffix{Suffix::Kind::mod, static_cast<std::uint16_t>(Mod::l2_cache_hint)}));
    EXPECT_FALSE(find_type("global"));
    EXPECT_EQ(find_suffix("and"), (Suffix{Suffix::Kind::mod, static_cast<std::uint16_t>(Mod::and_)}));
    EXPECT_EQ(text(*find_suffix("mbarrier::complete_tx::bytes")), "mbarrier::complete_tx::bytes");
}

TEST(Opcodes, mnemonics_take_the_words_that_choose_the_operands) {
    EXPECT_EQ(mnemonic_words("cp"), 5u);
    EXPECT_EQ(mnemonic_words("ld"), 1u);
    EXPECT_EQ(mnemonic_words("nothing"), 0u);
}

TEST(Opcodes, special_registers) {
    EXPECT_EQ(find_special("%tid.x"), Special::tid_x);
    EXPECT_EQ(find_special("WARP_SZ"), Special::warp_sz);
    EXPECT_EQ(text(Special::lanemask_lt), "%lanemask_lt");
}

TEST(Opcodes, types) {
    EXPECT_EQ(size_bytes(Type::b128), 16u);
    EXPECT_EQ(size_bytes(Type::pred), 0u);
    EXPECT_TRUE(is_float(Type::bf16x2));
    EXPECT_FALSE(is_float(Type::b32));
    EXPECT_TRUE(is_signed(Type::s16x2));
    EXPECT_FALSE(is_signed(Type::surfref));
    EXPECT_FALSE(is_signed(Type::f32));
}

}  // namespace opcodes_test
}  // namespace lanescope::ptx
