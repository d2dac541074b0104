// What the assembler makes of PTX: instructions that vanish, the order of a block, kernels that are refused.
#include "analysis/cycles/machine_code.h"

#include <gtest/gtest.h>

#include "kernel.h"

namespace lanescope::analysis {
namespace machine_code_test {

std::vector<Unit> units(const std::string& body) {
    const trace::Program program = kernel(body);
    const MachineCode machine{Code(program)};
    std::vector<Unit> found;
    for (std::uint32_t pc = 0; pc < machine.size(); ++pc)
        found.push_back(machine.at(pc).unit);
    return found;
}

// The instructions in the order in which they issue.
std::vector<std::uint16_t> order(const std::string& body) {
    const trace::Program program = kernel(body);
    const MachineCode machine{Code(program)};
    std::vector<std::uint16_t> found(machine.size());
    for (std::uint32_t pc = 0; pc < machine.size(); ++pc)
        found[machine.place_of(pc)] = static_cast<std::uint16_t>(pc);
    return found;
}

std::string refusal(const std::string& body) {
    const trace::Program program = kernel(body);
    const MachineCode machine{Code(program)};
    return machine.refusals().empty() ? "" : machine.refusals()[0].reason;
}

using Units = std::vector<Unit>;

TEST(MachineCode, copies_and_constants_vanish) {
    EXPECT_EQ(units("ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %ntid.x;\n"
                    "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %r2;\nret;\n"),
              (Units{Unit::constant, Unit::none, Unit::constant, Unit::special, Unit::none, Unit::branch}));
}

TEST(MachineCode, the_address_of_an_element_is_one_instruction) {
    EXPECT_EQ(
        units("mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\nld.global.u32 %r2, [%rd4];\nret;\n"),
        (Units{Unit::none, Unit::wide, Unit::memory, Unit::branch}));
}

TEST(MachineCode, a_constant_in_an_address_is_its_offset) {
    EXPECT_EQ(units("add.s64 %rd4, %rd2, 16;\nld.global.u32 %r2, [%rd4];\nret;\n")[0], Unit::none);
    EXPECT_EQ(units("add.s64 %rd4, %rd2, 16;\nst.global.u64 [%rd1], %rd4;\nret;\n")[0], Unit::alu);
}

TEST(MachineCode, a_short_branch_is_a_predicate) {
    EXPECT_EQ(units("@%p1 bra $end;\nadd.f32 %f1, %f1, %f2;\n$end:\nret;\n")[0], Unit::none);
    EXPECT_EQ(units("@%p1 bra $end;\nbar.sync 0;\n$end:\nret;\n")[0], Unit::branch);
}

TEST(MachineCode, an_atomic_at_one_address_is_done_once_for_the_warp) {
    const auto aggregated = [](const std::string& body) {
        const trace::Program program = kernel(body);
        return MachineCode{Code(program)}.at(1).aggregated;
    };
    EXPECT_TRUE(aggregated("ld.param.u64 %rd1, [p];\nred.global.add.u32 [%rd1], 1;\nret;\n"));
    EXPECT_FALSE(aggregated("ld.param.u64 %rd1, [p];\nred.global.add.f32 [%rd1], %f1;\nret;\n"));
    EXPECT_FALSE(aggregated("mov.u64 %rd1, %clock64;\nred.global.add.u32 [%rd1], 1;\nret;\n"));
}

TEST(ListSchedule, loads_come_before_the_first_use) {
    EXPECT_EQ(order("ld.global.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nld.global.u32 %r3, [%rd2];\n"
                    "add.s32 %r4, %r3, %r2;\nret;\n"),
              (std::vector<std::uint16_t>{0, 2, 1, 3, 4}));
}

TEST(ListSchedule, a_load_stays_behind_a_store_that_it_may_read) {
    EXPECT_EQ(order("st.global.u32 [%rd1], %r1;\nld.global.u32 %r3, [%rd2];\nret;\n"),
              (std::vector<std::uint16_t>{0, 1, 2}));
    EXPECT_EQ(order("bar.sync 0;\nld.shared.u32 %r3, [%rd2];\nret;\n"),
              (std::vector<std::uint16_t>{0, 1, 2}));
    EXPECT_EQ(order("st.shared.u32 [%rd1], %r1;\nld.global.u32 %r3, [%rd2];\nret;\n")[0], 1);
}

TEST(ListSchedule, loads_behind_short_branches_are_together) {
    const std::string guarded =
        "ld.global.u32 %r1, [%rd1];\n@%p1 bra $a;\nadd.s32 %r1, %r1, 1;\n$a:\nst.shared.u32 [%rd3], %r1;\n"
        "@%p2 bra $b;\nld.global.u32 %r2, [%rd2];\n$b:\nst.shared.u32 [%rd4], %r2;\nret;\n";
    const std::vector<std::uint16_t> found = order(guarded);
    const auto place = [&](std::uint16_t pc) {
        return std::find(found.begin(), found.end(), pc) - found.begin();
    };
    EXPECT_LT(place(5), place(2)) << "the second load comes before the use of the first";
    EXPECT_LT(place(3), place(6)) << "stores keep their order";
}

TEST(ListSchedule, a_loop_that_counts_is_unrolled) {
    const auto loop = [](const std::string& step, const std::string& access) {
        return "$a:\n" + access + "add.s32 %r2, %r2, %r1;\nadd.s64 %rd1, %rd1, 4;\nadd.s32 %r3, %r3, " +
               step + ";\nsetp.ne.s32 %p1, %r3, %r4;\n@%p1 bra $a;\nret;\n";
    };
    const std::string load = "ld.global.u32 %r1, [%rd1];\n";
    const auto is_unrolled = [&](const std::string& body) {
        const trace::Program program = kernel(body);
        return MachineCode{Code(program)}.is_unrolled(0);
    };
    EXPECT_FALSE(is_unrolled(loop("%r5", load)));
    EXPECT_FALSE(is_unrolled(loop("1", "atom.global.add.u32 %r1, [%rd1], 1;\n")));
    const trace::Program program = kernel(loop("1", load));
    const MachineCode machine{Code(program)};
    ASSERT_TRUE(machine.is_unrolled(0));
    const std::uint32_t last = MachineCode::copies - 1;
    EXPECT_LT(machine.place_of(machine.copy_of(0, last)), machine.place_of(machine.copy_of(1, 0)))
        << "all loads come before the first use";
    EXPECT_EQ(machine.at(machine.copy_of(5, 0)).unit, Unit::none) << "only the last copy branches";
    EXPECT_EQ(machine.at(machine.copy_of(5, last)).unit, Unit::branch);
}

TEST(WideLoads, neighbours_of_an_aligned_address_are_one) {
    const auto joined = [](const std::string& address) {
        const trace::Program program =
            kernel("mov.u32 %r9, %tid.x;\n" + address +
                   "ld.shared.u32 %r1, [%rd1];\nld.shared.u32 %r2, [%rd1+4];\nld.shared.u32 %r3, [%rd1+8];\n"
                   "ld.shared.u32 %r4, [%rd1+12];\nret;\n");
        const MachineCode machine{Code(program)};
        return int{machine.at(2).joined};
    };
    EXPECT_EQ(joined("mul.wide.u32 %rd1, %r9, 16;\n"), 4);
    EXPECT_EQ(joined("mul.wide.u32 %rd1, %r9, 8;\n"), 2);
    EXPECT_EQ(joined("mul.wide.u32 %rd1, %r9, 4;\n"), 1);
}

TEST(ListSchedule, values_keep_their_order) {
    EXPECT_EQ(order("add.s32 %r2, %r1, 1;\nmov.u32 %r1, %tid.x;\nadd.s32 %r3, %r1, 1;\nret;\n"),
              (std::vector<std::uint16_t>{0, 1, 2, 3}));
}

TEST(Refusal, loops_that_wait_for_other_threads) {
    EXPECT_NE(refusal("$again:\nld.volatile.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra "
                      "$again;\nret;\n"),
              "");
    EXPECT_NE(refusal("$again:\natom.global.cas.b32 %r1, [%rd1], %r2, %r3;\nsetp.ne.s32 %p1, %r1, %r2;\n"
                      "@%p1 bra $again;\nret;\n"),
              "");
    EXPECT_EQ(
        refusal("$again:\nld.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra $again;\nret;\n"),
        "");
    EXPECT_EQ(
        refusal("$again:\nred.global.add.u32 [%rd1], 1;\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 9;\n"
                "@%p1 bra $again;\nret;\n"),
        "");
}

}  // namespace machine_code_test
}  // namespace lanescope::analysis
