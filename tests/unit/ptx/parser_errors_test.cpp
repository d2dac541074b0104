// Every bad input gives one located error that names what was expected.
#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "ptx_text.h"

namespace lanescope::ptx {
namespace parser_errors_test {

struct Bad {
    std::string name;
    std::string text;
    int line, column;
    std::string message;  // a part of the expected message
};

std::ostream& operator<<(std::ostream& out, const Bad& bad) {
    return out << bad.name;
}

class BadPtx : public testing::TestWithParam<Bad> {};

TEST_P(BadPtx, is_a_located_error) {
    const Result<Module> result = parse(GetParam().text, "test.ptx");
    ASSERT_FALSE(result.ok());
    const Diagnostic& diagnostic = result.diagnostics().at(0);
    EXPECT_EQ(diagnostic.file, "test.ptx");
    EXPECT_EQ(diagnostic.line, GetParam().line) << diagnostic.message;
    EXPECT_EQ(diagnostic.column, GetParam().column) << diagnostic.message;
    EXPECT_NE(diagnostic.message.find(GetParam().message), std::string::npos) << diagnostic.message;
}

// Returns a module whose kernel has this body, from line 5, column 1 on.
std::string in_kernel(const std::string& body) {
    return header + ".entry k(.param .u64 a) { .reg .b32 %r<4>; .reg .pred %p; .reg .b64 %rd;\n" + body +
           "\n}\n";
}
std::string in_module(const std::string& text) {
    return header + text;
}

std::string repeated(const std::string& word, unsigned count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
        text += word;
    return text;
}

std::string nested(unsigned depth) {
    return std::string(depth, '{') + std::string(depth, '}');
}

const Bad module_cases[] = {
    {"bad_empty", "", 1, 1, "expected .version at the beginning, found the end of the text"},
    {"bad_no_target", ".version 9.0\n.address_size 64", 2, 1, "expected .target"},
    {"bad_version", ".version nine", 1, 10, "expected a version"},
    {"bad_address_size", ".version 9.0 .target sm_90 .address_size 48", 1, 42, "expected 32 or 64"},
    {"bad_top_level", in_module("mov.u32 a, b;"), 4, 1, "expected a function, a variable"},
    {"bad_character", in_module("#define x"), 4, 1, "found '#'"},
    {"bad_comment", in_module(".global .u32 a;\n  /* open"), 5, 3, "an unterminated comment"},
    {"bad_string", in_module(".file 1 \"open\n"), 4, 9, "an unterminated string"},
    {"bad_type", in_module(".global .u33 a;"), 4, 9, "expected a type, found '.u33'"},
    {"bad_two_types", in_module(".global .u32 .f32 a;"), 4, 14, "expected a name"},
    {"bad_alignment", in_module(".global .align 3 .u32 a;"), 4, 16, "power of two"},
    {"bad_extent", in_module(".global .u32 a[x];"), 4, 16, "expected an array extent"},
    {"bad_no_semicolon", in_module(".global .u32 a\n.global .u32 b;"), 5, 1,
     "expected ';' after the variable"},
    {"bad_initial_symbol", in_module(".global .u64 a = missing;"), 4, 18,
     "no variable or function 'missing'"},
    {"bad_initial_depth", in_module(".global .u32 a[1] = " + std::string(100000, '{')), 4, 37, "at most 16"},
    {"bad_defined_twice", in_module(".global .u32 a;\n.global .u32 a;"), 5, 14, "'a' is defined twice"},
    {"bad_function_twice", in_module(".entry k() { ret; }\n.entry k() { ret; }"), 5, 8,
     "'k' is defined twice"},
    {"bad_section_data", in_module(".section .debug_info { .b8 1, }"), 4, 31, "expected a number or a label"},
    {"bad_section_open", in_module(".section .debug_info { .b8 1"), 4, 29, "found the end of the text"},
    {"bad_section_word", in_module(".section .debug_info { .b24 1 }"), 4, 24, "expected .b8"},
    {"bad_function_end", in_module(".func f()"), 4, 10, "or a body"},
    {"bad_parameter", in_module(".entry k(.global .u32 a) { ret; }"), 4, 10, "expected .param or .reg"},
    {"bad_parameter_twice", in_module(".entry k(.param .u32 a, .param .u32 a) { ret; }"), 4, 42,
     "two parameters"},
    {"bad_attribute", in_module(".global .attribute(.managed .u32 a;"), 4, 36, "')'"},
};

const Bad body_cases[] = {
    {"bad_mnemonic", in_kernel("adds.u32 %r1, %r2, %r3;"), 5, 1, "unknown instruction 'adds.u32'"},
    {"bad_mnemonic_words", in_kernel("bar.warp 0;"), 5, 1, "unknown instruction 'bar.warp'"},
    {"bad_modifier", in_kernel("add.u32.fast %r1, %r2, %r3;"), 5, 8, "unknown modifier '.fast' of 'add'"},
    {"bad_modifier_count", in_kernel("add" + repeated(".u32", 30) + " %r1;"), 5, 96, "at most 24 words"},
    {"bad_too_few_operands", in_kernel("add.u32 %r1, %r2;"), 5, 17,
     "expected 3 operands of 'add', found ';'"},
    {"bad_too_many_operands", in_kernel("add.u32 %r1, %r2, %r3, %r1;"), 5, 24, "'add' has 3 operands"},
    {"bad_operand_for_ret", in_kernel("ret %r1;"), 5, 5, "'ret' has 0 operands"},
    {"bad_destination", in_kernel("add.u32 5, %r2, %r3;"), 5, 9,
     "expected a destination register of 'add', found '5'"},
    {"bad_negated_destination", in_kernel("setp.eq.u32 !%p, %r1, 0;"), 5, 13,
     "expected a destination register"},
    {"bad_address", in_kernel("ld.u32 %r1, %rd;"), 5, 13, "expected an address in brackets"},
    {"bad_address_as_value", in_kernel("mov.u32 %r1, [%rd];"), 5, 14, "expected a value of 'mov'"},
    {"bad_address_base", in_kernel("ld.u32 %r1, [%tid.x];"), 5, 14, "in the address"},
    {"bad_address_end", in_kernel("ld.u32 %r1, [%rd+4;"), 5, 19, "expected ']' after the address"},
    {"bad_offset", in_kernel("ld.u32 %r1, [%rd+%r1];"), 5, 18, "expected an offset, found '%r1'"},
    {"bad_list", in_kernel("add.u32 (%r1), %r2, %r3;"), 5, 9, "expected an operand, found '('"},
    {"bad_register", in_kernel("mov.u32 %r1, %r4;"), 5, 14, "no register '%r4' is declared here"},
    {"bad_register_zeros", in_kernel("mov.u32 %r1, %r01;"), 5, 14, "no register '%r01'"},
    {"bad_register_of_inner_scope", in_kernel("{ .reg .b32 %x; } mov.u32 %x, 0;"), 5, 27, "no register '%x'"},
    {"bad_symbol", in_kernel("mov.u64 %rd, missing;"), 5, 14, "no variable or function 'missing'"},
    {"bad_number", in_kernel("mov.u32 %r1, 99999999999999999999;"), 5, 14, "a number that fits 64 bits"},
    {"bad_octal", in_kernel("mov.u32 %r1, 08;"), 5, 14, "a number that fits 64 bits"},
    {"bad_minus", in_kernel("mov.u32 %r1, -%r2;"), 5, 15, "a number that fits 64 bits"},
    {"bad_element", in_kernel("mov.u32 %r1, %r2.x;"), 5, 14, "has no element '.x'"},
    {"bad_pair", in_kernel("setp.eq.u32 5|%p, %r1, 0;"), 5, 13, "expected a register before '|'"},
    {"bad_pair_end", in_kernel("setp.eq.u32 %p|5, %r1, 0;"), 5, 16, "expected a register after '|'"},
    {"bad_vector_nesting", in_kernel("mov.b64 {{%r1, %r2}, %r3}, %rd;"), 5, 10, "expected a register"},
    {"bad_vector_depth", in_kernel("mov.b64 " + std::string(100000, '{')), 5, 12, "without more brackets"},
    {"bad_address_depth", in_kernel("ld.u32 %r1, " + std::string(3, '[')), 5, 14, "in the address"},
    {"bad_guard", in_kernel("@%r1 ret;"), 5, 2, "expected a register of type .pred, found '%r1'"},
    {"bad_guard_name", in_kernel("@%q ret;"), 5, 2, "expected a register of type .pred"},
    {"bad_not", in_kernel("setp.eq.and.u32 %p, %r1, 0, !%r1;"), 5, 30, "expected a register of type .pred"},
    {"bad_label", in_kernel("bra nowhere;"), 5, 5, "no label 'nowhere' in 'k'"},
    {"bad_label_of_inner_scope", in_kernel("{ l: } bra l;"), 5, 12, "no label 'l'"},
    {"bad_label_twice", in_kernel("l:\nl: ret;"), 6, 1, "the label 'l' is declared twice"},
    {"bad_branch_to_table", in_kernel("t: .branchtargets l; l: bra t;"), 5, 29, "a label of another kind"},
    {"bad_table_entry", in_kernel("t: .branchtargets gone; brx.idx %r1, t;"), 5, 19, "no label 'gone'"},
    {"bad_table", in_kernel("l: brx.idx %r1, l;"), 5, 17, "a label of another kind"},
    {"bad_prototype", in_kernel("l: call %rd, (), l;"), 5, 18, "a label of another kind"},
    {"bad_callee", in_kernel("call 5;"), 5, 6, "expected a function's name or a register"},
    {"bad_special_without_element", in_kernel("mov.u32 %r1, %tid;"), 5, 14, "no register '%tid'"},
    {"bad_declared_twice", in_kernel(".reg .b32 x; .reg .b32 x;"), 5, 24, "'x' is declared twice"},
    {"bad_variable_twice", in_kernel(".local .b32 x; .shared .b32 x;"), 5, 29, "'x' is declared twice"},
    {"bad_register_count", in_kernel(".reg .b32 %x<4000000000>;"), 5, 11, "registers in a function"},
    {"bad_register_count_zero", in_kernel(".reg .b32 %x<0>;"), 5, 11, "at least one register"},
    {"bad_body_directive", in_kernel(".version 9.0"), 5, 1, "expected .reg, .local"},
    {"bad_row", in_kernel(".loc 1 2\nret;"), 6, 1, "expected a column"},
    {"bad_row_tail", in_kernel(".loc 1 2 3, outlined_at 1 2 3\nret;"), 5, 13,
     "expected function_name or inlined_at"},
    {"bad_body_end", header + ".entry k() {\nret;\n", 6, 1, "found the end of the text"},
    {"bad_scopes", in_kernel(nested(100000)), 5, 65, "at most 64 nested scopes"},
    {"bad_semicolon", in_kernel("ret\n}"), 6, 1, "expected ';': 'ret' has 0 operands, found '}'"},
};

std::string name_of(const testing::TestParamInfo<Bad>& info) {
    return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Module, BadPtx, testing::ValuesIn(module_cases), name_of);
INSTANTIATE_TEST_SUITE_P(Body, BadPtx, testing::ValuesIn(body_cases), name_of);

TEST(BadPtx, bad_many_register_declarations_do_not_fill_the_memory) {
    std::string text = header;
    for (int i = 0; i < 20; ++i)
        text += ".func f" + std::to_string(i) + "() { .reg .b32 %r<262144>; ret; }\n";
    const Result<Module> result = parse(text);
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.diagnostics()[0].message.find("registers"), std::string::npos);
}

TEST(BadPtx, bad_prefixes_of_a_good_text_never_crash) {
    const std::string text = corpus_text("forms.ptx");
    unsigned good = 0;
    for (std::size_t length = 0; length < text.size(); length += 3)
        good += parse(text.substr(0, length)).ok();
    EXPECT_LT(good, text.size() / 10);
}

TEST(BadPtx, huge_arrays_are_only_sized) {
    EXPECT_TRUE(parse(header + ".global .b8 huge[1000000000000];\n").ok());
}

}  // namespace parser_errors_test
}  // namespace lanescope::ptx
