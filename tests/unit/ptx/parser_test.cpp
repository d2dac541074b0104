#include "ptx/parser.h"

#include <gtest/gtest.h>

#include "ptx_text.h"

namespace lanescope::ptx {
namespace parser_test {

using Kind = Operand::Kind;

Function body(const std::string& text) {
    Module module = parsed(kernel(text));
    return module.functions.empty() ? Function{} : module.functions[0];
}

const std::string registers = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg .f32 %f<9>; ";

Instruction first(const std::string& text) {
    const Function function = body(registers + text);
    return function.instructions.empty() ? Instruction{} : function.instructions[0];
}

TEST(Parser, header) {
    const Module module = parsed(".version 9.0\n.target sm_90, debug\n.address_size 64\n");
    EXPECT_EQ(module.version, "9.0");
    EXPECT_EQ(module.target, "sm_90, debug");
    EXPECT_EQ(module.address_size, 64u);
}

TEST(Parser, suffixes_keep_their_order_and_kind) {
    const Instruction load = first("ld.volatile.shared.v2.u32 {%r1, %r2}, [%rd1+8];");
    EXPECT_EQ(load.op, Op::ld);
    EXPECT_EQ(load.suffixes.size(), 4u);
    EXPECT_TRUE(load.has(Mod::volatile_));
    EXPECT_FALSE(load.has(Mod::relaxed));
    EXPECT_EQ(load.space(), Space::shared);
    EXPECT_EQ(load.vector_length(), 2u);
    EXPECT_EQ(load.type(), Type::u32);
    EXPECT_EQ(load.type(1), Type::none);
    const Instruction copy = first("cp.async.ca.shared.global [%rd1], [%rd2], 4;");
    EXPECT_EQ(copy.op, Op::cp_async);
    EXPECT_EQ(copy.space(0), Space::shared);
    EXPECT_EQ(copy.space(1), Space::global);
    EXPECT_EQ(copy.space(2), Space::generic);
}

TEST(Parser, mnemonics_of_several_words) {
    EXPECT_EQ(first("bar.warp.sync -1;").op, Op::bar_warp_sync);
    EXPECT_EQ(first("bar.sync 0;").op, Op::bar_sync);
    EXPECT_EQ(first("bar.cta.sync 0;").op, Op::bar_sync);
    EXPECT_EQ(first("cp.async.wait_all;").op, Op::cp_async_wait_all);
    EXPECT_EQ(first("cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4;").op, Op::cvt_pack);
    EXPECT_EQ(first("mov .u32 %r1, 0;").op, Op::mov);
    EXPECT_EQ(first("bar .warp .sync -1;").op, Op::bar_warp_sync);
}

TEST(Parser, numbers_as_operands) {
    const auto operand = [](const std::string& text) {
        return first("mov.b64 %rd1, " + text + ";").operands.at(1);
    };
    EXPECT_EQ(operand("0x1F").bits, 31u);
    EXPECT_EQ(operand("-5").bits, ~std::uint64_t{4});
    EXPECT_TRUE(operand("-5").negated);
    EXPECT_EQ(operand("0f3F800000").kind, Kind::real);
    EXPECT_FALSE(operand("0f3F800000").real_is_double);
    EXPECT_EQ(operand("-0f3F800000").bits, 0xbf800000u);
    EXPECT_EQ(operand("-1.0").bits, 0xbff0000000000000u);
    EXPECT_EQ(operand("WARP_SZ").special, Special::warp_sz);
    EXPECT_EQ(operand("%clock64").special, Special::clock64);
}

TEST(Parser, addresses) {
    const auto operand = [](const std::string& text) {
        return first("ld.u32 %r1, " + text + ";").operands.at(1);
    };
    EXPECT_EQ(operand("[%rd1]").has_offset, false);
    EXPECT_EQ(operand("[%rd1+0]").has_offset, true);
    EXPECT_EQ(operand("[%rd1+-4]").offset, -4);
    EXPECT_EQ(operand("[%rd1-4]").offset, -4);
    EXPECT_EQ(operand("[p+8]").refers, (Reference{Reference::Kind::parameter, 0}));
    EXPECT_EQ(operand("[p+8]").offset, 8);
    EXPECT_EQ(operand("[64]").offset, 64);
    EXPECT_EQ(operand("[64]").reg, no_index);
    const Instruction fetch = first("tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r1}];");
    EXPECT_EQ(fetch.operands.at(1).elements.at(0).kind, Kind::vector);
}

TEST(Parser, pairs_vectors_and_discards) {
    const Instruction compare = first("setp.lt.and.s32 %p1|_, %r1, %r2, !%p2;");
    EXPECT_EQ(compare.operands.at(0).kind, Kind::pair);
    EXPECT_EQ(compare.operands[0].elements.at(1).kind, Kind::discard);
    EXPECT_TRUE(compare.operands.at(3).negated);
    const Instruction split = first("mov.b64 {_, %r1}, %rd1;");
    EXPECT_EQ(split.operands.at(0).elements.at(0).kind, Kind::discard);
    EXPECT_EQ(split.operands.at(1).kind, Kind::reg);
}

TEST(Parser, guards) {
    const Function function = body(registers + "@%p1 ret; @!%p2 ret; ret;");
    EXPECT_EQ(function.registers.at(function.instructions.at(0).guard).name, "%p1");
    EXPECT_FALSE(function.instructions[0].guard_negated);
    EXPECT_TRUE(function.instructions.at(1).guard_negated);
    EXPECT_EQ(function.instructions.at(2).guard, no_index);
}

TEST(Parser, registers_of_inner_scopes_shadow) {
    const Function function =
        body(".reg .b32 %r<3>, x; { .reg .f32 %r1, x; mov.f32 %r1, x; mov.b32 %r2, 0; } mov.b32 %r1, x;");
    const auto type_of = [&](std::size_t instruction, std::size_t operand) {
        return function.registers.at(function.instructions.at(instruction).operands.at(operand).reg).type;
    };
    EXPECT_EQ(type_of(0, 0), Type::f32);
    EXPECT_EQ(type_of(0, 1), Type::f32);
    EXPECT_EQ(type_of(1, 0), Type::b32);
    EXPECT_EQ(type_of(2, 0), Type::b32);
    EXPECT_EQ(type_of(2, 1), Type::b32);
}

TEST(Parser, numbered_registers_of_prefixes_that_end_in_digits) {
    const Function function = body(".reg .b32 %r1<20>; .reg .b64 %r<20>; mov.b32 %r112, 0; mov.b64 %r5, 0;");
    EXPECT_EQ(function.registers.at(function.instructions.at(0).operands.at(0).reg).type, Type::b32);
    EXPECT_EQ(function.registers.at(function.instructions.at(1).operands.at(0).reg).type, Type::b64);
}

TEST(Parser, same_variable_in_two_scopes_is_two_variables) {
    const Function function =
        body("{ .param .b32 a; st.param.b32 [a], 1; } { .param .b64 a; st.param.b64 [a+0], 2; }");
    EXPECT_EQ(function.instructions.at(0).operands.at(0).refers, (Reference{Reference::Kind::local, 0}));
    EXPECT_EQ(function.instructions.at(1).operands.at(0).refers, (Reference{Reference::Kind::local, 1}));
    EXPECT_EQ(function.variables.at(1).type, Type::b64);
}

TEST(Parser, vector_registers_have_elements) {
    const Function function = body(".reg .v4 .f32 v; mov.f32 v.y, v.a; st.v4.f32 [p], v;");
    EXPECT_EQ(function.registers.size(), 4u);
    EXPECT_EQ(function.registers.at(function.instructions.at(0).operands.at(0).reg).name, "v.y");
    EXPECT_EQ(function.registers.at(function.instructions.at(0).operands.at(1).reg).name, "v.w");
    EXPECT_EQ(function.instructions.at(1).operands.at(1).elements.size(), 4u);
}

TEST(Parser, labels_resolve_in_their_scope_and_outwards) {
    const Function function = body("out: { l: bra l; bra out; bra late; } { l: bra l; } late: ret;");
    EXPECT_EQ(function.labels.size(), 4u);
    const auto target = [&](std::size_t i) {
        return function.labels.at(function.instructions.at(i).operands.at(0).label).instruction;
    };
    EXPECT_EQ(target(0), 0u);
    EXPECT_EQ(target(1), 0u);
    EXPECT_EQ(target(2), 4u);
    EXPECT_EQ(target(3), 3u);
}

TEST(Parser, branch_tables) {
    const Function function = body(registers + "t: .branchtargets a, b; brx.idx %r1, t; a: trap; b: ret;");
    ASSERT_EQ(function.branch_targets.size(), 1u);
    EXPECT_EQ(function.branch_targets[0].labels, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(function.instructions.at(0).operands.at(1).refers, (Reference{Reference::Kind::targets, 0}));
}

TEST(Parser, calls) {
    const Module module = parsed(header +
                                 ".func (.param .b32 r) f (.param .b32 a);\n"
                                 ".entry k() { .reg .b64 %rd<2>; .param .b32 x; .param .b32 y;\n"
                                 "call.uni (x), f, (y); call f; mov.u64 %rd1, f; proto: .callprototype "
                                 "(.param .b32 _) _ (.param .b32 _);\n"
                                 "call (x), %rd1, (y), proto; }\n"
                                 ".func (.param .b32 r) f (.param .b32 a) { ret; }\n");
    const Function* kernel = module.find_function("k");
    ASSERT_NE(kernel, nullptr);
    const Instruction& direct = kernel->instructions.at(0);
    EXPECT_EQ(direct.operands.at(0).kind, Kind::list);
    EXPECT_EQ(direct.operands.at(1).refers, (Reference{Reference::Kind::function, 2}))
        << "the call must refer to the definition, not to the declaration";
    EXPECT_EQ(direct.operands.at(2).elements.at(0).refers, (Reference{Reference::Kind::local, 1}));
    const Instruction& indirect = kernel->instructions.at(3);
    EXPECT_EQ(indirect.operands.at(1).kind, Kind::reg);
    EXPECT_EQ(indirect.operands.at(3).refers, (Reference{Reference::Kind::prototype, 0}));
    EXPECT_TRUE(module.find_function("f")->has_body);
}

TEST(Parser, results_and_parameters_in_registers) {
    const Module module =
        parsed(header + ".func (.reg .u32 r) f (.reg .u32 a, .reg .f32 b) { mov.u32 r, a; ret; }");
    const Function& function = module.functions.at(0);
    EXPECT_EQ(function.registers.at(0).name, "r");
    EXPECT_EQ(function.registers.at(2).type, Type::f32);
    EXPECT_EQ(function.instructions.at(0).operands.at(1).reg, 1u);
}

TEST(Parser, parameters_keep_their_attributes) {
    const Module module =
        parsed(header + ".entry k(.param .u64 .ptr .global .align 4 a, .param .align 8 .b8 s[24]) { ret; }");
    const Function& function = module.functions.at(0);
    EXPECT_EQ(function.parameters.at(0).attributes.at(0), ".ptr .global .align 4");
    EXPECT_EQ(function.parameters.at(1).size_bytes(), 24u);
    EXPECT_EQ(function.parameters.at(1).alignment_bytes(), 8u);
}

TEST(Parser, variables) {
    const Module module = parsed(header +
                                 ".extern .shared .align 16 .b8 d[];\n"
                                 ".global .u32 a = -1, b[2][3];\n"
                                 ".global .attribute(.managed) .align 8 .v4 .f32 q[2];\n"
                                 ".shared .b8 huge[18446744073709551615][2];\n");
    ASSERT_EQ(module.variables.size(), 5u);
    EXPECT_EQ(module.variables[0].linkage, Linkage::external);
    EXPECT_TRUE(module.variables[0].is_array);
    EXPECT_EQ(module.variables[0].size_bytes(), 0u);
    EXPECT_EQ(module.variables[1].initial.at(0).bits, ~std::uint64_t{0});
    EXPECT_EQ(module.variables[2].size_bytes(), 24u);
    EXPECT_EQ(module.variables[2].alignment_bytes(), 4u);
    EXPECT_EQ(module.variables[3].attributes.at(0), ".attribute(.managed)");
    EXPECT_EQ(module.variables[3].size_bytes(), 32u);
    EXPECT_EQ(module.variables[4].size_bytes(), ~std::uint64_t{0}) << "the size saturates";
}

TEST(Parser, initial_values) {
    const Module module = parsed(header +
                                 ".global .f32 f[3] = {0f3F800000, -1.5, 0d3FF0000000000000};\n"
                                 ".global .f64 g = 0f3F800000;\n"
                                 ".global .s32 m[2][3] = {{1, 2}, {3}};\n"
                                 ".global .u64 t[4] = {f, generic(m)+4, later-8, 5};\n"
                                 ".global .u8 b[2] = {0xFF00(f), 0xFF(generic(g))};\n"
                                 ".global .u32 later;\n");
    const auto& f = module.variables.at(0).initial;
    EXPECT_EQ(f.at(0).bits, 0x3f800000u);
    EXPECT_EQ(f.at(1).bits, 0xbfc00000u);
    EXPECT_EQ(f.at(2).bits, 0x3f800000u);
    EXPECT_EQ(module.variables.at(1).initial.at(0).bits, 0x3ff0000000000000u);
    EXPECT_EQ(module.variables.at(2).initial.size(), 3u);
    const auto& t = module.variables.at(3).initial;
    EXPECT_EQ(t.at(0).symbol, "f");
    EXPECT_TRUE(t.at(1).generic);
    EXPECT_EQ(t.at(1).offset, 4);
    EXPECT_EQ(t.at(2).offset, -8);
    EXPECT_EQ(t.at(3).bits, 5u);
    const auto& b = module.variables.at(4).initial;
    EXPECT_EQ(b.at(0).byte_mask, 0xff00u);
    EXPECT_EQ(b.at(0).symbol, "f");
    EXPECT_TRUE(b.at(1).generic);
}

TEST(Parser, rows_of_lines) {
    const Function function = body(
        "\n.loc 1 7 3\nbar.sync 0;\n.loc 2 9 1, function_name $L__info_string0+4, inlined_at 1 8 "
        "5\nmembar.cta;\nret;");
    ASSERT_EQ(function.rows.size(), 2u);
    EXPECT_EQ(function.rows[0].line, 7u);
    EXPECT_EQ(function.rows[0].inlined_file, 0u);
    EXPECT_EQ(function.rows[1].function_name, "$L__info_string0");
    EXPECT_EQ(function.rows[1].function_name_offset, 4);
    EXPECT_EQ(function.rows[1].inlined_line, 8u);
    EXPECT_EQ(function.instructions.at(2).row, 1u);
    EXPECT_EQ(function.instructions.at(0).text_line, 6u);
}

TEST(Parser, equal_instructions_may_stand_at_other_lines_but_not_in_other_rows) {
    const Instruction here = body("\n.loc 1 7 3\nbar.sync 0;").instructions.at(0);
    const Instruction lower = body("\n\n\n.loc 1 7 3\nbar.sync 0;").instructions.at(0);
    const Instruction second = body(".loc 1 6 1\n.loc 1 7 3\nbar.sync 0;").instructions.at(0);
    EXPECT_NE(here.text_line, lower.text_line);
    EXPECT_EQ(here, lower);
    EXPECT_FALSE(here == second);
}

TEST(Parser, sections) {
    const Module module = parsed(header +
                                 ".file 1 \"a.cu\", 1700000000, 123\n"
                                 ".section .debug_info { .b8 1, 255,-1\n.b16 0x102\nlabel: .b32 "
                                 ".debug_abbrev+4, $L_b-$L_a\n.b64 sym }\n");
    EXPECT_EQ(module.find_file(1)->path, "a.cu");
    EXPECT_EQ(module.find_file(1)->extra, "1700000000, 123");
    const Section* section = module.find_section(".debug_info");
    ASSERT_NE(section, nullptr);
    EXPECT_EQ(section->bytes.size(), 21u);
    EXPECT_EQ(section->bytes[2], 255);
    EXPECT_EQ(section->bytes[3], 2);
    EXPECT_EQ(section->labels.at(0), (std::pair<std::string, std::uint64_t>{"label", 5}));
    ASSERT_EQ(section->relocations.size(), 3u);
    EXPECT_EQ(section->relocations[0].offset, 4);
    EXPECT_EQ(section->relocations[1].at, 9u);
    EXPECT_EQ(section->relocations[1].minus, "$L_a");
    EXPECT_EQ(section->relocations[2].size_bytes, 8u);
}

TEST(Parser, directives) {
    const Module module =
        parsed(header +
               ".pragma \"a\";\n.func f() .noreturn { trap; }\n.alias g, f;\n"
               ".entry k() .maxntid 256, 1, 1 .minnctapersm 2 { .pragma \"nounroll\"; ret; }\n");
    EXPECT_EQ(module.directives, (std::vector<std::string>{".pragma \"a\";", ".alias g, f;"}));
    EXPECT_TRUE(module.functions.at(0).noreturn);
    EXPECT_EQ(module.functions.at(1).directives,
              (std::vector<std::string>{".maxntid 256, 1, 1", ".minnctapersm 2"}));
    EXPECT_EQ(module.functions.at(1).body_directives.at(0), ".pragma \"nounroll\";");
}

}  // namespace parser_test
}  // namespace lanescope::ptx
