#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "ptx_text.h"

namespace lanescope::ptx {
namespace printer_test {

class Corpus : public testing::TestWithParam<const char*> {};

TEST_P(Corpus, printing_and_parsing_again_gives_the_same_module) {
    const Module module = parsed(corpus_text(GetParam()));
    const std::string text = print(module);
    const Module again = parsed(text);
    EXPECT_TRUE(again == module);
    EXPECT_EQ(print(again), text);
}

INSTANTIATE_TEST_SUITE_P(Files, Corpus,
                         testing::Values("features.debug.ptx", "features.optimized.ptx", "forms.ptx",
                                         "inlined.debug.ptx", "inlined.optimized.ptx", "steps.ptx"));

// Removes white space, in which printed instructions may differ from the compiler's.
std::string without_blanks(std::string_view text) {
    std::string kept;
    for (const char c : text)
        if (!std::isspace(static_cast<unsigned char>(c))) kept += c;
    return kept;
}

TEST(Printer, names_of_files_beyond_ascii) {
    const Module module = parsed(header + ".file 1 \"/\\303\\274/a.cu\"\n");
    ASSERT_EQ(module.files.size(), 1u);
    EXPECT_EQ(module.files[0].path, "/ü/a.cu");
    EXPECT_NE(print(module).find(".file\t1 \"/\\303\\274/a.cu\""), std::string::npos);
}

TEST(Printer, instructions_come_out_as_they_went_in) {
    unsigned compared = 0;
    for (const char* name : {"features.debug.ptx", "features.optimized.ptx", "steps.ptx"}) {
        const std::string text = corpus_text(name);
        const std::string packed = without_blanks(text);
        const Module module = parsed(text);
        for (const Function& function : module.functions)
            for (const Instruction& instruction : function.instructions) {
                EXPECT_NE(packed.find(without_blanks(print(function, instruction))), std::string::npos)
                    << name << ':' << instruction.text_line << ": " << print(function, instruction);
                ++compared;
            }
    }
    EXPECT_GT(compared, 600u);
}

std::string printed(const std::string& statement) {
    const Module module = parsed(
        kernel(".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg .f32 %f<9>; .reg .v4 .f32 v; l: " +
               statement));
    const Function& function = module.functions.at(0);
    return print(function, function.instructions.at(0));
}

TEST(Printer, one_instruction_per_line) {
    EXPECT_EQ(printed("@!%p1 bra l;"), "@!%p1 bra \tl;");
    EXPECT_EQ(printed("ld.v2.u32 {%r1,_},[ %rd1 + -4 ];"), "ld.v2.u32 \t{%r1, _}, [%rd1+-4];");
    EXPECT_EQ(printed("setp.lt.and.s32 %p1|%p2, %r1, -7, !%p0;"),
              "setp.lt.and.s32 \t%p1|%p2, %r1, -7, !%p0;");
    EXPECT_EQ(printed("mov.f32 %f1, 0f3f800000;"), "mov.f32 \t%f1, 0f3F800000;");
    EXPECT_EQ(printed("mov.f32 v.r, 1.0;"), "mov.f32 \tv.x, 0d3FF0000000000000;");
    EXPECT_EQ(printed("tex.2d.v4.f32.f32 v, [%rd1, {%f1, %f2}];"),
              "tex.2d.v4.f32.f32 \t{v.x, v.y, v.z, v.w}, [%rd1, {%f1, %f2}];");
    EXPECT_EQ(printed("bar.cta.sync 0x10;"), "bar.sync \t16;");
    EXPECT_EQ(printed("ret;"), "ret;");
}

TEST(Printer, rows_of_arrays_are_nested) {
    const Module module =
        parsed(header + ".const .s32 m[2][3] = {{1, 2, 3}, {4}};\n.global .u32 e[] = {1, 2};\n");
    const std::string text = print(module);
    EXPECT_NE(text.find("{{1, 2, 3}, {4}}"), std::string::npos) << text;
    EXPECT_TRUE(parsed(text) == module);
}

// Returns an operand for a letter of an opcode's pattern.
std::string operand_for(char letter) {
    switch (letter) {
        case 'd':
            return "%r1";
        case 'm':
            return "[%rd1]";
        case 't':
            return "l";
        case 'n':
            return "t";
        default:
            return "%r2";
    }
}

TEST(Printer, every_opcode_is_read_and_printed_with_and_without_its_optional_operands) {
    for (unsigned i = 0; i < op_count(); ++i) {
        const OpInfo& op = info(static_cast<Op>(i));
        if (op.operands == "*") continue;
        for (const bool all : {true, false}) {
            std::string operands;
            for (std::size_t at = 0; at < op.operands.size(); ++at) {
                if (op.operands[at] == ',' || op.operands[at] == '?') continue;
                const bool optional = at + 1 < op.operands.size() && op.operands[at + 1] == '?';
                if (optional && !all) continue;
                operands += (operands.empty() ? " \t" : ", ") + operand_for(op.operands[at]);
            }
            const std::string line = std::string(op.text) + operands + ";";
            const Module module =
                parsed(kernel(".reg .b32 %r<3>; .reg .b64 %rd<2>; t: .branchtargets l; l: " + line));
            const Function& function = module.functions.at(0);
            EXPECT_EQ(function.instructions.at(0).op, static_cast<Op>(i)) << line;
            EXPECT_EQ(print(function, function.instructions[0]), line);
        }
    }
}

}  // namespace printer_test
}  // namespace lanescope::ptx
