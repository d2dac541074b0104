// Counts over whole hand-made traces.
#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "analysis/metrics.h"
#include "trace/recorder.h"

namespace lanescope::analysis {
namespace metrics_test {

using namespace lanescope::trace;

Report report_of(const std::shared_ptr<const Trace>& trace) {
    return measure(*trace, Code(trace->program));
}

constexpr Mask all = ~Mask{0};

Program program() {
    Program made;
    made.functions.push_back({"k", "k", 1, true, 0, 20, 0, 0, {}});
    for (std::uint32_t pc = 0; pc < 20; ++pc)
        made.code_rows.push_back({0, pc < 10 ? pc + 1 : 0, 1, pc + 1});
    return made;
}

Launch launch_of(std::uint32_t blocks, std::uint32_t threads) {
    Launch launch;
    launch.kernel = "k";
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.shared_bytes = 4096;
    return launch;
}

struct Maker {
    Recorder recorder;

    Maker() { recorder.set_program(program()); }

    void access(AccessKind kind, Space space, std::uint32_t pc, Mask mask, std::uint64_t start,
                std::uint64_t stride) {
        std::array<std::uint64_t, warp_size> offsets{};
        for (unsigned lane = 0; lane < warp_size; ++lane)
            offsets[lane] = start + lane * stride;
        const std::array<std::byte, warp_size * 4> before{};
        std::array<std::byte, warp_size * 4> after{};
        after.fill(std::byte{1});
        recorder.access(kind, space, pc, 0, 4, mask, offsets.data(), before.data(), after.data(), nullptr);
    }
};

TEST(Measure, a_divergent_if) {
    Maker maker;
    maker.recorder.begin_launch(launch_of(1, 32));
    maker.recorder.begin_turn(0, 0, all, 0, 1, 0);
    maker.recorder.branch(2, 4, all, 0x0000ffff);
    maker.recorder.end_turn(TurnEnd::diverged, 5);
    maker.recorder.begin_turn(0, 0, 0x0000ffff, 3, 4, 0);
    maker.recorder.end_turn(TurnEnd::step, 10);
    maker.recorder.begin_turn(0, 0, 0xffff0000, 5, 6, 0);
    maker.recorder.branch(5, 2, 0xffff0000, 0xffff0000);
    maker.recorder.end_turn(TurnEnd::step, 3);
    maker.recorder.begin_turn(0, 0, all, 7, 8, 0);
    maker.recorder.end_turn(TurnEnd::exited, 2);
    maker.recorder.end_launch();
    const auto trace = maker.recorder.finish();
    const Report report = report_of(trace);
    EXPECT_EQ(report.total.warp_instructions, 20u);
    EXPECT_EQ(report.total.thread_instructions, 32u * 5 + 16 * 10 + 16 * 3 + 32 * 2);
    EXPECT_DOUBLE_EQ(report.total.simt_efficiency(), 432.0 / 640.0);
    EXPECT_EQ(report.total.branches, 2u);
    EXPECT_EQ(report.total.divergent_branches, 1u);
    ASSERT_NE(report.line(3), nullptr);  // the line of the branch, not of its turn
    EXPECT_EQ(report.line(3)->metrics.divergent_branches, 1u);
    EXPECT_EQ(report.line(1)->metrics.divergent_branches, 0u);
    EXPECT_EQ(report.line(4)->executions, 1u);
    EXPECT_EQ(report.line(4)->lanes, 16u);
    EXPECT_EQ(report.line(9), nullptr);
    const auto steps = build_steps(*trace, 0, Granularity::line);
    EXPECT_EQ(lanes_on(*trace, steps), (std::vector<float>{1.0f, 0.5f, 0.5f, 1.0f}));
    EXPECT_EQ(lanes_on(*trace, build_steps(*trace, 0, Granularity::launch)), (std::vector<float>{0.75f}));
}

TEST(Measure, accesses_by_space_kind_line_and_launch) {
    Maker maker;
    for (int launch = 0; launch < 2; ++launch) {
        maker.recorder.begin_launch(launch_of(2, 64));
        maker.recorder.begin_turn(1, 1, all, 0, 1, 0);
        maker.access(AccessKind::load, Space::global, 1, all, 256, 4);     // 4 sectors
        maker.access(AccessKind::load, Space::global, 11, all, 256, 128);  // 32 sectors; a row without a line
        maker.access(AccessKind::store, Space::global, 2, 0xff, 260, 4);   // 2 sectors, 1 ideal
        maker.access(AccessKind::load, Space::shared, 3, all, 0, 8);       // 2 wavefronts
        maker.access(AccessKind::store, Space::shared, 3, all, 0, 128);    // 32 wavefronts
        maker.access(AccessKind::atomic, Space::global, 4, 0xf, 0, 0);
        maker.access(AccessKind::atomic, Space::shared, 4, 0x7, 0, 0);
        maker.access(AccessKind::load, Space::constant, 4, all, 0, 4);
        maker.access(AccessKind::store, Space::local, 4, all, 0, 0);
        maker.recorder.end_turn(TurnEnd::step, 9);
        maker.recorder.end_launch();
    }
    const auto trace = maker.recorder.finish();
    const Report report = report_of(trace);
    ASSERT_EQ(report.launches.size(), 2u);
    for (const Metrics& one : report.launches) {
        EXPECT_EQ(one.global_load_requests, 2u);
        EXPECT_EQ(one.global_load_sectors, 36u);
        EXPECT_EQ(one.global_load_ideal_sectors, 8u);
        EXPECT_EQ(one.global_store_requests, 1u);
        EXPECT_EQ(one.global_store_sectors, 2u);
        EXPECT_EQ(one.global_store_ideal_sectors, 1u);
        EXPECT_EQ(one.shared_load_requests, 1u);
        EXPECT_EQ(one.shared_load_wavefronts, 2u);
        EXPECT_EQ(one.shared_store_requests, 1u);
        EXPECT_EQ(one.shared_store_wavefronts, 32u);
        EXPECT_EQ(one.atomics, 7u);
        EXPECT_EQ(one.global_load_lanes, 64u);
        EXPECT_EQ(one.global_store_lanes, 8u);
        EXPECT_EQ(one.shared_load_ideal_wavefronts, 1u);
        EXPECT_EQ(one.shared_store_ideal_wavefronts, 1u);
        EXPECT_EQ(one.shared_load_lanes, 32u);
        EXPECT_EQ(one.shared_conflict_degree, 32u);
        EXPECT_EQ(one.global_atomic_requests, 1u);
        EXPECT_EQ(one.global_atomic_sectors, 4u);
        EXPECT_EQ(one.shared_atomic_requests, 1u);
        EXPECT_EQ(one.shared_atomic_wavefronts, 3u);
        EXPECT_EQ(one.atomic_passes, 7u);
        EXPECT_EQ(one.atomic_worst, 4u);
        EXPECT_EQ(one.constant_load_requests, 1u);
        EXPECT_EQ(one.constant_generic_requests, 0u);
        EXPECT_EQ(one.local_store_requests, 1u);
        EXPECT_EQ(one.local_load_requests, 0u);
    }
    EXPECT_EQ(report.total.atomic_passes, 14u);
    EXPECT_EQ(report.total.atomic_worst, 4u);  // the largest, not the sum
    EXPECT_EQ(report.total.shared_conflict_degree, 32u);
    EXPECT_EQ(report.total.global_load_sectors, 72u);
    EXPECT_EQ(report.line(2)->metrics.global_load_sectors, 8u);
    EXPECT_EQ(report.line(1)->metrics.global_load_sectors, 64u);  // the line of the turn
    EXPECT_EQ(report.line(5)->metrics.atomics, 14u);
    Replay replay(trace);
    const Metrics step = measure_turns(replay.details(1, 2, 1), *trace);
    EXPECT_EQ(step.global_load_sectors, 36u);
    EXPECT_EQ(step.warp_instructions, 9u);
}

TEST(Measure, barriers_per_block_and_line) {
    Maker maker;
    maker.recorder.begin_launch(launch_of(2, 64));
    for (std::uint32_t block = 0; block < 2; ++block) {
        for (std::uint16_t warp = 0; warp < 2; ++warp) {
            maker.recorder.begin_turn(block, warp, all, 4, 5, 0);
            maker.recorder.end_turn(TurnEnd::barrier, 1);
        }
        maker.recorder.barrier_release(block, 0);
    }
    maker.recorder.end_launch();
    const auto trace = maker.recorder.finish();
    EXPECT_EQ(report_of(trace).total.barriers, 2u);
    EXPECT_EQ(report_of(trace).line(5)->metrics.barriers, 2u);
    Replay replay(trace);
    EXPECT_EQ(measure_turns(replay.details(0, 2, 0), *trace).barriers, 1u);
    EXPECT_EQ(measure_turns(replay.details(0, 1, 0), *trace).barriers, 0u);
    EXPECT_EQ(measure_turns({}, *trace).warp_instructions, 0u);
}

TEST(Measure, lanes_that_return_early_run_no_more_instructions) {
    Maker maker;
    maker.recorder.begin_launch(launch_of(1, 32));
    maker.recorder.begin_turn(0, 0, all, 0, 1, 0);
    maker.recorder.exit_lanes(0xff, 3);  // the fourth instruction was their last
    maker.recorder.end_turn(TurnEnd::step, 10);
    maker.recorder.end_launch();
    EXPECT_EQ(report_of(maker.recorder.finish()).total.thread_instructions, 32u * 10 - 8 * 6);
}

TEST(Measure, arrays) {
    Maker maker;
    const auto symbol = [](const char* name, Space space, std::uint64_t offset, std::uint64_t size_bytes) {
        Symbol made;
        made.name = name;
        made.space = space;
        made.offset = offset;
        made.size_bytes = size_bytes;
        return made;
    };
    maker.recorder.add_symbol(symbol("b", Space::global, 256, 128));
    maker.recorder.add_symbol(symbol("a", Space::global, 0, 256));
    maker.recorder.add_symbol(symbol("unused", Space::constant, 0, 64));
    Launch launch = launch_of(1, 32);
    launch.shared.push_back(symbol("s", Space::shared, 0, 512));
    maker.recorder.begin_launch(launch);
    maker.recorder.begin_turn(0, 0, all, 0, 1, 0);
    maker.access(AccessKind::load, Space::global, 1, all, 0, 4);      // a
    maker.access(AccessKind::load, Space::global, 1, all, 192, 4);    // 16 in a, 16 in b
    maker.access(AccessKind::store, Space::global, 1, 0xf, 256, 0);   // b
    maker.access(AccessKind::atomic, Space::global, 1, 0x3, 512, 4);  // in none
    maker.access(AccessKind::atomic, Space::shared, 1, 0x7, 0, 4);
    maker.access(AccessKind::store, Space::local, 1, all, 0, 0);
    maker.recorder.end_turn(TurnEnd::step, 9);
    maker.recorder.end_launch();
    const Report report = report_of(maker.recorder.finish());
    ASSERT_EQ(report.arrays.size(), 1u);
    const std::vector<ArrayMetrics>& arrays = report.arrays[0];
    ASSERT_EQ(arrays.size(), 3u);
    EXPECT_EQ(arrays[0].name, "b");
    EXPECT_EQ(arrays[0].loads, 16u);
    EXPECT_EQ(arrays[0].stores, 4u);
    EXPECT_EQ(arrays[1].name, "a");
    EXPECT_EQ(arrays[1].loads, 48u);
    EXPECT_EQ(arrays[2].name, "s");
    EXPECT_EQ(arrays[2].atomics, 3u);
}

// In each of two launches, one warp executes line 3 three times and the other warp once.
TEST(Measure, steps_are_those_of_the_busiest_warp) {
    Maker maker;
    for (int launch = 0; launch < 2; ++launch) {
        maker.recorder.begin_launch(launch_of(1, 64));
        for (const std::uint16_t warp : {0, 1, 0, 0}) {
            maker.recorder.begin_turn(0, warp, all, 2, 3, 0);
            maker.recorder.end_turn(TurnEnd::step, 2);
        }
        maker.recorder.end_launch();
    }
    const Report report = report_of(maker.recorder.finish());
    EXPECT_EQ(report.line(3)->executions, 8u);
    EXPECT_EQ(report.line(3)->steps, 6u);
}

// Half of the lanes take the branch of `if (c) x += x;`; the other lanes end the line
// with its second instruction.
TEST(Measure, operations_and_the_other_half_of_a_branch) {
    Maker maker;
    Program made;
    made.ptx =
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
        ".reg .pred %p<2>;\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n"
        "@%p1 bra $a;\n"
        "bra.uni $b;\n"
        "$a: ld.u32 %r1, [%rd1];\n"
        "add.s32 %r2, %r1, %r1;\n"
        "st.u32 [%rd1], %r2;\n"
        "$b: ret;\n}\n";
    made.functions.push_back({"k", "k", 1, true, 0, 6, 0, 0, {}});
    for (std::uint32_t pc = 0; pc < 6; ++pc)
        made.code_rows.push_back({0, pc < 2 ? 1u : pc < 5 ? 2u : 3u, 1, pc + 9});
    maker.recorder.set_program(made);
    maker.recorder.begin_launch(launch_of(1, 32));
    maker.recorder.begin_turn(0, 0, all, 0, 1, 0);
    maker.recorder.branch(0, 0, all, 0xffff);
    maker.recorder.end_turn(TurnEnd::diverged, 1);
    maker.recorder.begin_turn(0, 0, 0xffff0000, 1, 1, 0);
    maker.recorder.end_turn(TurnEnd::yielded, 1);
    maker.recorder.begin_turn(0, 0, 0x0000ffff, 2, 2, 0);
    maker.recorder.end_turn(TurnEnd::step, 3);
    maker.recorder.begin_turn(0, 0, all, 5, 3, 0);
    maker.recorder.end_turn(TurnEnd::exited, 1);
    maker.recorder.end_launch();
    const auto trace = maker.recorder.finish();
    const Report report = report_of(trace);
    EXPECT_EQ(report.line(1)->executions, 1u);
    EXPECT_EQ(report.line(1)->lanes, 32u);
    EXPECT_EQ(report.line(1)->steps, 1u);
    EXPECT_EQ(report.line(1)->metrics.warp_instructions, 2u);
    EXPECT_EQ(report.line(1)->metrics.operations[Operation::control], 48u);
    EXPECT_EQ(report.line(2)->metrics.operations[Operation::int_add], 16u);
    EXPECT_EQ(report.line(2)->metrics.data_operations[Operation::int_add], 16u);
    EXPECT_EQ(report.total.operations[Operation::control], 80u);
    EXPECT_EQ(report.total.data_operations[Operation::load], 0u);

    const auto instructions = measure_instructions(*trace, Code(trace->program));
    ASSERT_EQ(instructions.size(), 6u);
    EXPECT_EQ(instructions[0].metrics.branches, 1u);
    EXPECT_EQ(instructions[0].metrics.divergent_branches, 1u);
    EXPECT_EQ(instructions[1].metrics.thread_instructions, 16u);
    EXPECT_TRUE(instructions[3].kind.data);
    EXPECT_EQ(instructions[3].metrics.warp_instructions, 1u);
    EXPECT_EQ(instructions[5].pc, 5u);
    EXPECT_EQ(instructions[5].metrics.thread_instructions, 32u);
}

// One line holds a condition that splits the warp, both sides, the point where they meet, and a loop
// that only some lanes repeat.
TEST(Measure, a_line_that_diverges_is_executed_once) {
    Maker maker;
    maker.recorder.begin_launch(launch_of(1, 32));
    const auto turn = [&](Mask mask, std::uint32_t pc, TurnEnd end) {
        maker.recorder.begin_turn(0, 0, mask, pc, 5, 0);
        maker.recorder.end_turn(end, 2);
    };
    turn(all, 2, TurnEnd::diverged);
    turn(0xffff, 4, TurnEnd::yielded);
    turn(0xffff0000, 6, TurnEnd::yielded);
    turn(all, 8, TurnEnd::diverged);
    turn(0xff, 2, TurnEnd::step);  // back
    turn(0xff, 2, TurnEnd::step);
    maker.recorder.end_launch();
    const Report report = report_of(maker.recorder.finish());
    EXPECT_EQ(report.line(5)->executions, 3u);
    EXPECT_EQ(report.line(5)->steps, 3u);
    EXPECT_EQ(report.line(5)->lanes, 32u + 8 + 8);
    EXPECT_EQ(report.line(5)->metrics.warp_instructions, 12u);
}

TEST(Measure, bad_empty_trace) {
    const Report report = report_of(Recorder().finish());
    EXPECT_EQ(report.total.warp_instructions, 0u);
    EXPECT_DOUBLE_EQ(report.total.simt_efficiency(), 1.0);
    EXPECT_TRUE(report.lines.empty());
}

}  // namespace metrics_test
}  // namespace lanescope::analysis
