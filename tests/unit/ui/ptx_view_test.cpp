// PTX beside the source: the shown lines of the text, and the source lines to which they belong.
#include "ui/source/ptx_view.h"

#include <gtest/gtest.h>

namespace lanescope::ui {
namespace ptx_view_test {

trace::Program program() {
    trace::Program made;
    made.ptx =
        ".version 8.0\n.visible .entry k()\n{\n\t.reg .b32 %r<3>;\n\t.loc 1 5 3\n$L__tmp0:\n"
        "\tmov.u32 \t%r1, %tid.x;\n$L__BB0_1:\n\tadd.s32 \t%r2, %r1, 1;\n\n\tret;\n}\n.section x\n";
    made.code_rows = {{0, 5, 1, 7}, {0, 6, 1, 9}, {0, 0, 0, 11}, {1, 9, 1, 13}};
    trace::Function kernel, other;
    kernel.end_pc = 3;
    other.first_pc = 3, other.end_pc = 4;
    made.functions = {kernel, other};
    return made;
}

TEST(PtxRows, instructions_and_labels_of_one_function) {
    const std::vector<PtxRow> rows = ptx_rows(program(), 0);
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[0].text, "mov.u32           %r1, %tid.x;");
    EXPECT_EQ(rows[0].line, 5u);
    EXPECT_EQ(rows[0].pc, 0u);
    EXPECT_EQ(rows[1].text, "$L__BB0_1:");
    EXPECT_EQ(rows[1].pc, trace::none);
    EXPECT_EQ(rows[2].line, 6u);
    EXPECT_EQ(rows[3].text, "ret;");
    EXPECT_EQ(rows[3].line, 0u);
}

TEST(PtxRows, bad_functions_give_none) {
    EXPECT_TRUE(ptx_rows(program(), 7).empty());
    EXPECT_TRUE(ptx_rows({}, 0).empty());
}

}  // namespace ptx_view_test
}  // namespace lanescope::ui
