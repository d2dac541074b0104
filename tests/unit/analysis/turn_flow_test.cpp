// Which loads feed which stores of a turn.
#include "analysis/turn_flow.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::analysis {
namespace turn_flow_test {

using trace::AccessKind;

struct Flow : testing::Test {
    // Sets a kernel with one instruction per line; instruction i has pc i.
    void code(const std::vector<std::string>& lines) {
        const std::string head =
            ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n"
            ".reg .b32 %r<12>;\n.reg .b64 %rd<12>;\n.reg .f32 %f<12>;\n.reg .pred %p<4>;\n.reg .b64 %SP;\n";
        program.ptx = head;
        auto at = std::uint32_t(std::count(head.begin(), head.end(), '\n'));
        for (const std::string& line : lines) {
            program.ptx += "\t" + line + "\n";
            program.code_rows.push_back({0, 1, 1, ++at});
        }
        program.ptx += "}\n";
        turn.instructions = std::uint16_t(lines.size());
    }
    void access(std::uint16_t ordinal, AccessKind kind, trace::Space space = trace::Space::shared) {
        trace::Access made;
        made.ordinal = ordinal;
        made.kind = kind;
        made.space = space;
        made.mask = 1;
        detail.accesses.push_back(made);
    }
    std::vector<std::uint16_t> sources(std::uint16_t store) {
        TurnFlow flow(program);
        const TurnFlow::Sources all = flow.sources(turn, detail);
        const auto at = all.find(store);
        return at == all.end() ? std::vector<std::uint16_t>{99} : at->second;
    }
    trace::Program program;
    trace::Turn turn;
    trace::TurnDetail detail;
};

TEST_F(Flow, a_swap_sends_both_values) {
    // int sum = s[left]; s[left] = s[right]; s[right] += sum;
    code({"ld.shared.u32 \t%r1, [%rd1];", "ld.shared.u32 %r2, [%rd2];", "st.shared.u32 [%rd1], %r2;",
          "ld.shared.u32 %r3, [%rd2];", "add.s32 %r4, %r3, %r1;", "st.shared.u32 [%rd2], %r4;"});
    access(0, AccessKind::load), access(1, AccessKind::load), access(2, AccessKind::store);
    access(3, AccessKind::load), access(5, AccessKind::store);
    EXPECT_EQ(sources(2), std::vector<std::uint16_t>{1});
    EXPECT_EQ(sources(5), (std::vector<std::uint16_t>{0, 3}));
}

TEST_F(Flow, an_address_that_was_loaded_is_a_source) {
    code({"ld.global.u32 %r1, [%rd1];", "mul.wide.s32 %rd3, %r1, 4;", "add.s64 %rd4, %rd2, %rd3;",
          "@%p1 atom.global.add.u32 %r9, [%rd4], 1;", "st.global.u32 [%rd5], 7;"});
    access(0, AccessKind::load), access(3, AccessKind::atomic), access(4, AccessKind::store);
    EXPECT_EQ(sources(3), std::vector<std::uint16_t>{0});
    EXPECT_TRUE(sources(4).empty()) << "a constant has no source";
}

TEST_F(Flow, vectors_and_the_stack_hand_on) {
    code({"ld.global.v2.f32 {%f1, %f2}, [%rd1];", "st.local.f32 [%SP+4], %f2;", "ld.local.f32 %f3, [%SP+4];",
          "st.shared.v2.f32 [%rd2], {%f3, %f3};"});
    access(0, AccessKind::load), access(1, AccessKind::store, trace::Space::local);
    access(2, AccessKind::load, trace::Space::local), access(3, AccessKind::store);
    EXPECT_EQ(sources(3), std::vector<std::uint16_t>{0});
}

TEST_F(Flow, a_copy_writes_memory_not_its_address) {
    code({"cp.async.ca.shared.global [%rd1], [%rd2], 4;", "st.shared.u32 [%rd1], %r1;"});
    access(0, AccessKind::store), access(1, AccessKind::store);
    EXPECT_TRUE(sources(1).empty()) << "the address register is read, not written";
}

TEST_F(Flow, a_section_of_names_hides_the_outer_ones) {
    code({"ld.shared.u32 %r1, [%rd1];", "{ .reg .b32 %r1; mov.u32 %r1, 7;", "}",
          "st.shared.u32 [%rd1], %r1;"});
    access(0, AccessKind::load), access(3, AccessKind::store);
    EXPECT_EQ(sources(3), std::vector<std::uint16_t>{0}) << "the inner register %r1 is another one";
}

TEST_F(Flow, bad_code_is_not_known) {
    turn.instructions = 2;
    access(1, AccessKind::store);
    EXPECT_EQ(sources(1), std::vector<std::uint16_t>{99});
}

}  // namespace turn_flow_test
}  // namespace lanescope::analysis
