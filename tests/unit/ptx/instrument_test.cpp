#include "ptx/instrument.h"

#include "ptx_text.h"

namespace lanescope::ptx {
namespace instrument_test {

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

TEST(Instrument, kernels_that_launch_get_the_slot_of_their_grid_at_the_same_offset) {
    const Module module = parsed(header +
                                 ".visible .entry a(.param .u32 x) {\nret;\n}\n"
                                 ".visible .entry b(.param .u64 x, .param .u32 y) {\nret;\n}\n");
    std::vector<FunctionProbe> probes(2);
    for (FunctionProbe& probe : probes)
        probe.instructions.resize(1);
    const GridSlots grids{16, {4, 12}};
    const Module made = parsed(instrument(module, probes, &grids));
    for (const char* name : {"a", "b"}) {
        const auto kernel = std::find_if(made.functions.begin(), made.functions.end(),
                                         [&](const Function& each) { return each.name == name; });
        ASSERT_NE(kernel, made.functions.end());
        std::uint64_t offset = 0;
        for (const Variable& each : kernel->parameters) {
            offset = (offset + each.alignment_bytes() - 1) / each.alignment_bytes() * each.alignment_bytes();
            if (&each != &kernel->parameters.back()) offset += each.size_bytes();
        }
        EXPECT_EQ(offset, 16u) << name;
        EXPECT_EQ(kernel->parameters.back().size_bytes(), 8u);
    }
    EXPECT_EQ(parsed(instrument(module, probes)).functions.back().parameters.size(), 2u);
}

}  // namespace instrument_test
}  // namespace lanescope::ptx
