#include "ptx/instrument.h"

#include "ptx_text.h"

namespace lanescope::ptx {
namespace {

TEST(Instrument, lines_do_not_name_labels_of_debug_sections_that_are_dropped) {
    const Module module = parsed(header +
                                 ".visible .entry k() {\n.loc 1 7 3\nbar.sync 0;\n.loc 2 9 1, function_name "
                                 "$L__info_string0+4, inlined_at 1 7 "
                                 "3\nret;\n}\n.file 1 \"a.cu\"\n.file 2 \"b.cu\"\n"
                                 ".section .debug_str\n{\n$L__info_string0:\n.b8 102\n.b8 0\n}\n");
    ASSERT_EQ(module.functions.at(0).rows.at(1).function_name, "$L__info_string0");
    const std::string text = instrument(module, {});
    EXPECT_EQ(text.find("info_string"), std::string::npos);
    const Module made = parsed(text);
    const Function& kernel = made.functions.back();
    ASSERT_EQ(kernel.rows.size(), 2u);
    EXPECT_EQ(kernel.rows[1].file, 2u);
    EXPECT_EQ(kernel.rows[1].line, 9u);
}

}  // namespace
}  // namespace lanescope::ptx
