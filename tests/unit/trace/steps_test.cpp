#include <gtest/gtest.h>

#include "maker.h"
#include "trace/steps.h"

namespace lanescope::trace {
namespace steps_test {

struct Want {
    std::uint64_t first, end;
    std::uint32_t line, phase;
};

void expect_steps(const std::vector<Step>& steps, const std::vector<Want>& wanted) {
    ASSERT_EQ(steps.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(steps[i].first, wanted[i].first) << i;
        EXPECT_EQ(steps[i].end, wanted[i].end) << i;
        EXPECT_EQ(steps[i].line, wanted[i].line) << i;
        EXPECT_EQ(steps[i].phase, wanted[i].phase) << i;
    }
}

// Returns a trace of two interleaved blocks of two warps: line 1, line 2 with a
// barrier, line 2 again, line 3.
std::shared_ptr<const Trace> two_blocks() {
    Maker maker;
    maker.launch(2, 64);
    for (const std::uint32_t block : {0u, 1u})
        maker.turn(block, 0, all_lanes, 1);  // 0, 1
    for (const std::uint32_t block : {0u, 1u})
        maker.turn(block, 1, all_lanes, 1);            // 2, 3
    maker.turn(0, 0, all_lanes, 2, TurnEnd::barrier);  // 4
    maker.turn(1, 0, all_lanes, 2, TurnEnd::barrier);  // 5
    maker.turn(1, 1, all_lanes, 2, TurnEnd::barrier);  // 6
    maker.recorder.barrier_release(1, 0);
    maker.turn(0, 1, all_lanes, 2, TurnEnd::barrier);  // 7
    maker.recorder.barrier_release(0, 0);
    maker.turn(0, 0, all_lanes, 2);  // 8
    maker.turn(0, 0, all_lanes, 3);  // 9
    maker.turn(0, 0, all_lanes, 3);  // 10
    return maker.finish();
}

TEST(Steps, turns) {
    expect_steps(build_steps(*two_blocks(), 0, Granularity::turn), {{0, 1, 1, 0},
                                                                    {2, 3, 1, 0},
                                                                    {4, 5, 2, 0},
                                                                    {7, 8, 2, 0},
                                                                    {8, 9, 2, 1},
                                                                    {9, 10, 3, 1},
                                                                    {10, 11, 3, 1}});
}

TEST(Steps, lines_go_on_while_other_blocks_run_but_not_across_a_barrier) {
    const auto trace = two_blocks();
    expect_steps(build_steps(*trace, 0, Granularity::line),
                 {{0, 3, 1, 0}, {4, 8, 2, 0}, {8, 9, 2, 1}, {9, 11, 3, 1}});
    expect_steps(build_steps(*trace, 1, Granularity::line), {{1, 4, 1, 0}, {5, 7, 2, 0}});
}

TEST(Steps, phases_and_launches) {
    const auto trace = two_blocks();
    expect_steps(build_steps(*trace, 0, Granularity::phase), {{0, 8, 1, 0}, {8, 11, 2, 1}});
    expect_steps(build_steps(*trace, 0, Granularity::launch), {{0, 11, 1, 0}});
}

TEST(Steps, a_launch_without_the_focus_block_shows_another) {
    Maker maker;
    maker.launch(4, 32);
    maker.turn(3, 0, all_lanes, 1);
    maker.recorder.end_launch();
    maker.launch(1, 32);
    maker.turn(0, 0, all_lanes, 1);
    maker.recorder.end_launch();
    maker.launch(9, 32, {5, 2});
    maker.turn(2, 0, all_lanes, 1);
    maker.turn(5, 0, all_lanes, 1);
    const auto steps = build_steps(*maker.finish(), 3, Granularity::line);
    ASSERT_EQ(steps.size(), 3u);
    EXPECT_EQ(steps[0].block, 3u);
    EXPECT_EQ(steps[1].block, 0u);
    EXPECT_EQ(steps[1].launch, 1u);
    EXPECT_EQ(steps[2].block, 2u);
}

TEST(Steps, step_at_holds_or_comes_next) {
    const auto steps = build_steps(*two_blocks(), 1, Granularity::line);  // [1, 4) and [5, 7)
    EXPECT_EQ(step_at(steps, 0), 0u);
    EXPECT_EQ(step_at(steps, 3), 0u);
    EXPECT_EQ(step_at(steps, 4), 1u);
    EXPECT_EQ(step_at(steps, 6), 1u);
    EXPECT_EQ(step_at(steps, 10), 1u);
    EXPECT_EQ(step_at({}, 3), 0u);
}

TEST(TurnIndex, per_warp) {
    const TurnIndex index(*two_blocks());
    EXPECT_EQ(index.turns(0, 0, 0), (std::vector<std::uint64_t>{0, 4, 8, 9, 10}));
    EXPECT_EQ(index.turns(0, 1, 1), (std::vector<std::uint64_t>{3, 6}));
    EXPECT_TRUE(index.turns(0, 1, 2).empty());
    EXPECT_TRUE(index.turns(0, 7, 0).empty());
    EXPECT_TRUE(index.turns(1, 0, 0).empty());
}

}  // namespace steps_test
}  // namespace lanescope::trace
