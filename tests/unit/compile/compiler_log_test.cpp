#include "compile/compiler_log.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace compiler_log_test {

TEST(CompilerLog, the_caret_gives_the_column) {
    const Diagnostics d = parse_compiler_log(
        "bad.cu(3): error: expected a \";\"\n      p[threadIdx.x] = y + x;\n      ^\n\n"
        "bad.cu(2): warning #177-D: variable \"x\" was declared but never referenced\n  \tint x = 1\n  \t    "
        "^\n\n"
        "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
        "1 error detected in the compilation of \"bad.cu\".\n");
    ASSERT_EQ(d.size(), 2u);
    EXPECT_EQ(to_text(d[0]), "bad.cu:3:5: error: expected a \";\"");
    EXPECT_EQ(to_text(d[1]), "bad.cu:2:6: warning: variable \"x\" was declared but never referenced");
}

TEST(CompilerLog, details_join_the_message) {
    const Diagnostics d = parse_compiler_log(
        "x.cu(2): error: no operator \"+\" matches these operands\n            operand types are: A + A\n    "
        "return a + a;\n"
        "             ^\nx.cu(2): note #3328-D: built-in operator+ does not match\n    return a + a;\n       "
        "      ^\n"
        "          detected during instantiation of \"T f(T) [with T=A]\" at line 3\n\n");
    ASSERT_EQ(d.size(), 2u);
    EXPECT_EQ(d[0].message, "no operator \"+\" matches these operands; operand types are: A + A");
    EXPECT_EQ(d[0].column, 12);
    EXPECT_EQ(d[1].severity, Severity::note);
    EXPECT_EQ(d[1].message,
              "built-in operator+ does not match; detected during instantiation of \"T f(T) [with T=A]\" at "
              "line 3");
}

TEST(CompilerLog, catastrophic_and_unlocated_errors) {
    const Diagnostics d = parse_compiler_log(
        "a(1).cu(7): catastrophic error: could not open source file \"x.h\"\n  #include <x.h>\n              "
        "  ^\n\n"
        "nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
    ASSERT_EQ(d.size(), 2u);
    EXPECT_EQ(to_text(d[0]), "a(1).cu:7:15: error: could not open source file \"x.h\"");
    EXPECT_EQ(to_text(d[1]), "error: invalid value for --gpu-architecture (-arch)");
}

TEST(CompilerLog, long_histories_are_cut) {
    std::string log = "x.cu(1): error: excessive recursion\n";
    for (int i = 0; i < 200; ++i)
        log += "          instantiation " + std::to_string(i) + "\n";
    const Diagnostics d = parse_compiler_log(log);
    ASSERT_EQ(d.size(), 1u);
    EXPECT_EQ(d[0].message,
              "excessive recursion; instantiation 0; instantiation 1; instantiation 2; instantiation 3; …");
}

TEST(CompilerLog, bad_logs_give_what_they_hold) {
    EXPECT_TRUE(parse_compiler_log("").empty());
    EXPECT_TRUE(parse_compiler_log("(((\n): error:\n^\n  ^\n").empty());
    EXPECT_EQ(parse_compiler_log("x(99999999999999): error: a\ny(2): error: b\n").size(), 1u);
    const Diagnostics caret_first = parse_compiler_log("y(2): error: b\n  ^\n");
    ASSERT_EQ(caret_first.size(), 1u);
    EXPECT_EQ(caret_first[0].column, 0);
}

}  // namespace compiler_log_test
}  // namespace lanescope::compile
