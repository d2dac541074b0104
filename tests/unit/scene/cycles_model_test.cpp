// The estimated clock, prepared for the timeline: rows, columns, curves, visits of lines.
#include "scene/timeline/cycles_model.h"

#include <gtest/gtest.h>

#include "trace/recorder.h"

namespace lanescope::scene {
namespace cycles_model_test {

using analysis::Stall;
using analysis::WarpInterval;

// Two blocks of two warps, one after the other in the same rows: each warp waits for memory on line 1, then
// issues on line 2, twice.
analysis::LaunchCycles launch(float block_cycles = 100) {
    analysis::LaunchCycles made;
    made.rows = 2;
    made.simulated_cycles = double(2 * block_cycles);
    made.useful_flight = 64;
    for (std::uint16_t block = 0; block < 2; ++block) {
        const float begin = float(block) * block_cycles, half = block_cycles / 2;
        made.simulated.push_back({begin, begin + block_cycles, 10u + block, 0, 2});
        made.flights.push_back({begin, begin + half, 128});
        for (std::uint16_t warp = 0; warp < 2; ++warp)
            for (const float from : {begin, begin + half}) {
                made.intervals.push_back({from, from + half - 1, 1, warp, block, Stall::global_memory});
                made.intervals.push_back({from + half - 1, from + half, 2, warp, block, Stall::issues});
            }
    }
    return made;
}

TEST(CyclesModel, rows_hold_the_warps_of_one_block_after_the_other) {
    const auto model = CyclesModel::build(launch(), 4);
    ASSERT_EQ(model->rows().size(), 2u);
    EXPECT_EQ(model->rows()[1].size(), 8u);
    EXPECT_EQ(model->warp_of(1), 1u);
    ASSERT_NE(model->at(1, 149.5), nullptr);
    EXPECT_EQ(model->at(1, 149.5)->stall, Stall::issues);
    EXPECT_EQ(model->at(1, 149.5)->block, 1u);
    EXPECT_EQ(model->at(0, 300), nullptr);
    ASSERT_EQ(model->shares().front().first, Stall::global_memory);
    EXPECT_NEAR(model->shares().front().second, 0.98, 1e-6);
}

// The same from buckets and from the intervals themselves.
TEST(CyclesModel, columns_have_the_largest_wait_and_the_share_of_issues) {
    for (const float cycles : {100.0f, 100'000.0f}) {
        const auto model = CyclesModel::build(launch(cycles), 4);
        std::vector<CyclesModel::Column> columns(5);
        model->columns(0, 0, double(cycles / 2), columns);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(columns[i].reason, Stall::global_memory) << i;
            EXPECT_NEAR(double(columns[i].issue), 2.0 / double(cycles), 1.0 / double(cycles)) << i;
        }
        EXPECT_EQ(columns[4].reason, Stall::count) << "no warp is there";
        model->columns(0, double(cycles / 2 - 1), 0.25, std::span(columns).first(4));
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(columns[i].reason, Stall::issues) << i;
            EXPECT_FLOAT_EQ(columns[i].issue, 1) << i;
        }
    }
}

TEST(CyclesModel, curves_average_what_happens_at_the_same_time) {
    const auto model = CyclesModel::build(launch(), 4);
    EXPECT_NEAR(model->issue().average(49, 50), 0.5, 1e-6) << "two of four schedulers";
    EXPECT_NEAR(model->issue().average(0, 200), 0.01, 1e-6);
    EXPECT_NEAR(model->flight().average(0, 50), 128, 1e-6);
    EXPECT_NEAR(model->flight().average(0, 100), 64, 1e-6);
    EXPECT_NEAR(model->flight().greatest(), 128, 1e-6);
}

TEST(CyclesModel, an_interval_is_a_visit_of_its_warp_to_the_line) {
    const auto model = CyclesModel::build(launch(), 4);
    const WarpInterval* second = model->at(0, 199.5);
    ASSERT_NE(second, nullptr);
    const LineVisit visit = visit_of(*model, 0, *second);
    EXPECT_EQ(visit.number, 1u);
    EXPECT_EQ(visit.count, 2u);
}

// A run in which a warp is four times on line 1, with line 2 between.
TEST(CyclesModel, a_click_goes_to_the_same_share_of_the_visits) {
    trace::Program program;
    program.source = {"kernel.cu", "a\nb\n"};
    program.code_rows = {{0, 1, 1, 1}, {0, 2, 1, 2}};
    trace::Function kernel;
    kernel.name = "kernel";
    kernel.end_pc = 2;
    program.functions = {kernel};
    trace::Recorder recorder;
    recorder.set_program(std::move(program));
    trace::Launch begun;
    begun.kernel = "kernel";
    begun.block.x = 32;
    recorder.begin_launch(begun);
    for (int i = 0; i < 4; ++i)
        for (const std::uint32_t line : {1u, 2u}) {
            recorder.begin_turn(0, 0, ~0u, line - 1, line, 0);
            recorder.end_turn(trace::TurnEnd::step, 1);
        }
    recorder.end_launch();
    const auto trace = recorder.finish();
    EXPECT_EQ(turn_of_visit(*trace, 0, 0, 0, 1, {0, 2}), 0u);
    EXPECT_EQ(turn_of_visit(*trace, 0, 0, 0, 1, {1, 2}), 4u);
    EXPECT_EQ(turn_of_visit(*trace, 0, 0, 0, 2, {3, 4}), 7u);
    EXPECT_EQ(turn_of_visit(*trace, 0, 0, 0, 3, {0, 1}), std::nullopt);
    EXPECT_EQ(turn_of_visit(*trace, 1, 0, 0, 1, {0, 1}), std::nullopt);
}

}  // namespace cycles_model_test
}  // namespace lanescope::scene
