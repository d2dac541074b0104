// Estimates of small traces whose cycles follow from the device's figures.
#include "analysis/cycles/cycles.h"

#include <gtest/gtest.h>

#include "analysis/cycles/sector_cache.h"
#include "kernel.h"

namespace lanescope::analysis {
namespace cycles_test {

using trace::AccessKind;
using trace::Space;

std::string repeated(const std::string& line, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += line;
    return text;
}

double cycles_of(const CyclesEstimate& estimate) {
    return estimate.launches.at(0).cycles;
}
double stall(const LineCycles& line, Stall of) {
    return line.stalls[static_cast<std::size_t>(of)];
}

TEST(Cycles, a_chain_waits_for_each_result) {
    const std::string chain = repeated("add.f32 %f1, %f1, %f2;\n", 100) + "ret;\n";
    EXPECT_NEAR(cycles_of(StraightTrace(chain, 1, 1).estimate(plain_device())), 400, 8);
}

TEST(Cycles, other_warps_fill_the_wait) {
    const std::string chain = repeated("add.f32 %f1, %f1, %f2;\n", 100) + "ret;\n";
    // Four warps of each scheduler issue in turn.
    EXPECT_NEAR(cycles_of(StraightTrace(chain, 1, 16).estimate(plain_device())), 400, 20);
    EXPECT_NEAR(cycles_of(StraightTrace(chain, 1, 32).estimate(plain_device())), 800, 30);
}

TEST(Cycles, the_integer_unit_takes_two_cycles) {
    const std::string apart = repeated("and.b32 %r1, %r2, %r3;\nand.b32 %r4, %r5, %r6;\n", 50) + "ret;\n";
    EXPECT_NEAR(cycles_of(StraightTrace(apart, 1, 16).estimate(plain_device())), 800, 30);
}

TEST(Cycles, conflicts_of_banks_take_a_pass_each) {
    const std::string load = "ld.shared.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nret;\n";
    const auto of_stride = [&](std::uint64_t stride) {
        const StraightTrace trace(load, 1, 32,
                                  {{0, AccessKind::load, Space::shared,
                                    [=](auto, auto, unsigned lane) { return lane * stride % 4096; }}});
        return cycles_of(trace.estimate(plain_device()));
    };
    EXPECT_NEAR(of_stride(128) - of_stride(4), 31 * 32, 40);
}

TEST(Cycles, lines_of_one_request_take_turns) {
    const std::string load = "ld.global.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nret;\n";
    const auto of_stride = [&](std::uint64_t stride) {
        const StraightTrace trace(
            load, 1, 1,
            {{0, AccessKind::load, Space::global, [=](auto, auto, unsigned lane) { return lane * stride; }}});
        return trace.estimate(plain_device()).launches[0].l1_share *
               cycles_of(trace.estimate(plain_device()));
    };
    EXPECT_NEAR(of_stride(4), 1, 0.1);
    EXPECT_NEAR(of_stride(128), 32, 1);
}

// 2,048 warps read 128 bytes each: 262,144 bytes at 100 bytes a cycle.
TEST(Cycles, dram_limits_a_copy) {
    const std::string load = "ld.global.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nret;\n";
    DeviceModel device = plain_device();
    device.blocks_per_cycle = 100;
    const auto own = [](auto block, unsigned warp, unsigned lane) {
        return (block * 8 + warp) * 128ull + lane * 4;
    };
    const StraightTrace trace(load, 256, 8, {{0, AccessKind::load, Space::global, own}}, 262144);
    const CyclesEstimate estimate = trace.estimate(device, 32);
    EXPECT_NEAR(cycles_of(estimate), 2621, 800);
    EXPECT_NEAR(estimate.launches[0].dram_bytes, 262144, 30000);
    const CyclesEstimate larger = trace.estimate(device, 32, 16);
    EXPECT_NEAR(cycles_of(larger), 16 * 2621, 5000);
    EXPECT_TRUE(larger.launches[0].limit.starts_with("DRAM")) << larger.launches[0].limit;
}

TEST(Cycles, half_of_a_piece_of_dram_costs_all_of_it) {
    const std::string load = "ld.global.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nret;\n";
    const auto bytes = [&](std::uint64_t stride) {
        const StraightTrace trace(load, 64, 1,
                                  {{0, AccessKind::load, Space::global, [=](auto block, auto, unsigned lane) {
                                        return (block * 32ull + lane) * stride;
                                    }}});
        return trace.estimate(plain_device()).launches[0].dram_bytes;
    };
    EXPECT_NEAR(bytes(128) / bytes(4), 16, 1);
}

TEST(Cycles, the_start_of_blocks_limits_empty_ones) {
    const StraightTrace trace("ret;\n", 64, 1);
    const CyclesEstimate estimate = trace.estimate(plain_device(), 32, 1000);
    EXPECT_NEAR(cycles_of(estimate), 64000, 7000);
}

TEST(Cycles, a_barrier_waits_for_the_last_warp) {
    const std::string body = "ld.global.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;\nbar.sync 0;\nret;\n";
    const StraightTrace trace(
        body, 1, 2,
        {{0, AccessKind::load, Space::global, [](auto, auto, unsigned lane) { return lane * 4ull; }}});
    const CyclesEstimate estimate = trace.estimate(plain_device());
    const auto line = std::find_if(estimate.lines.begin(), estimate.lines.end(),
                                   [](const auto& each) { return each.line == 4; });
    ASSERT_NE(line, estimate.lines.end());
    EXPECT_GE(stall(*line, Stall::barrier), 2 * 9);
    EXPECT_EQ(estimate.lines[0].line, 2u);  // which waits for the load
    EXPECT_GT(stall(estimate.lines[0], Stall::global_memory), 900);
}

TEST(Cycles, atomics_of_a_slice_take_turns) {
    const auto of_stride = [](std::uint64_t stride) {
        const StraightTrace trace(
            "red.global.add.f32 [%rd1], %f1;\nret;\n", 1, 32,
            {{0, AccessKind::atomic, Space::global,
              [=](auto, unsigned warp, unsigned lane) { return warp * stride + lane * 4; }}});
        return cycles_of(trace.estimate(plain_device()));
    };
    EXPECT_NEAR(of_stride(0) - of_stride(1024), 31 * 4 * 3, 40) << "each warp has four sectors";
}

TEST(Cycles, intervals_cover_each_warp_without_overlap) {
    const std::string body = repeated("add.f32 %f1, %f1, %f2;\n", 5) + "ret;\n";
    const CyclesEstimate estimate = StraightTrace(body, 1, 2).estimate(plain_device(), 8, 1, 1000);
    std::map<int, float> ends;
    for (const WarpInterval& each : estimate.launches[0].intervals) {
        EXPECT_GE(each.begin, ends[each.warp]);
        EXPECT_GT(each.end, each.begin);
        ends[each.warp] = each.end;
    }
    EXPECT_EQ(ends.size(), 2u);
}

TEST(Cycles, launches_take_time_of_their_own) {
    const CyclesEstimate estimate = StraightTrace("ret;\n", 1, 1).estimate(plain_device());
    EXPECT_DOUBLE_EQ(estimate.launch_microseconds, 1);
    EXPECT_TRUE(estimate.mostly_launch());
}

TEST(SectorCache, keeps_what_was_used_last) {
    SectorCache cache(8 * 128);
    EXPECT_FALSE(cache.touch(0, true));
    EXPECT_TRUE(cache.touch(0, true));
    EXPECT_FALSE(cache.touch(1, true)) << "another sector of the line";
    for (std::uint32_t line = 1; line < 8; ++line)
        cache.touch(4 * line, true);
    EXPECT_TRUE(cache.touch(0, true));
    cache.touch(4 * 8, true);
    EXPECT_FALSE(cache.touch(4 * 1, false)) << "the oldest line went";
    EXPECT_FALSE(cache.touch(4 * 1, true)) << "it was not filled";
}

}  // namespace cycles_test
}  // namespace lanescope::analysis
