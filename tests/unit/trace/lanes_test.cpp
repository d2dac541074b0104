// The state of each lane, derived from the turns of its warp.
#include <gtest/gtest.h>

#include <random>

#include "maker.h"
#include "trace/replay.h"

namespace lanescope::trace {
namespace lanes_test {

LaneInfo lane(const std::shared_ptr<const Trace>& trace, std::uint64_t position, unsigned number,
              std::uint64_t active_from, std::uint32_t warp = 0) {
    Replay replay(trace);
    replay.seek(position);
    return replay.lanes(0, 0, warp, active_from)[number];
}

TEST(Lanes, absent_unstarted_active) {
    Maker maker;
    maker.launch(1, 40);
    maker.turn(0, 1, 0xff, 1);
    maker.turn(0, 0, all_lanes, 1);
    const auto trace = maker.finish();
    EXPECT_EQ(lane(trace, 1, 8, 0, 1).status, LaneStatus::absent);
    EXPECT_EQ(lane(trace, 1, 7, 0, 1).status, LaneStatus::active);
    EXPECT_EQ(lane(trace, 1, 7, 0, 0).status, LaneStatus::unstarted);
    EXPECT_EQ(lane(trace, 1, 7, 0, 0).line, 1u);
    EXPECT_EQ(lane(trace, 1, 7, 1, 1).status, LaneStatus::ready);
    EXPECT_EQ(Replay(trace).lanes(0, 0, 2, 0)[0].status, LaneStatus::absent);
    EXPECT_EQ(Replay(trace).lanes(1, 0, 0, 0)[0].status, LaneStatus::absent);
    EXPECT_EQ(Replay(trace).lanes(0, 1, 0, 0)[0].status, LaneStatus::absent);
}

TEST(Lanes, diverged_with_the_line_that_split_them) {
    Maker maker;
    maker.launch(1, 32);
    maker.diverge(0, 0, all_lanes, 10, 0x0000ffff);   // 0: splits the low half from the high half
    maker.diverge(0, 0, 0x0000ffff, 20, 0x000000ff);  // 1: splits the low half
    maker.turn(0, 0, 0x0000ff00, 21);                 // 2
    maker.turn(0, 0, 0x000000ff, 22);                 // 3
    maker.turn(0, 0, 0xffff0000, 30);                 // 4
    maker.turn(0, 0, all_lanes, 40);                  // 5
    const auto trace = maker.finish();
    const LaneInfo low = lane(trace, 3, 0, 2);  // the lane waited while turn 2 ran others
    EXPECT_EQ(low.status, LaneStatus::diverged);
    EXPECT_EQ(low.split_line, 20u);
    EXPECT_EQ(low.line, 22u);
    EXPECT_EQ(lane(trace, 3, 0, 3).status, LaneStatus::ready);  // the empty step 3: turn 3 runs the lane next
    EXPECT_EQ(lane(trace, 3, 8, 2).status, LaneStatus::active);
    const LaneInfo waits = lane(trace, 2, 0, 2);  // turn 2 with lanes 8 … 15 comes next
    EXPECT_EQ(waits.status, LaneStatus::diverged);
    EXPECT_EQ(waits.split_line, 20u);
    EXPECT_EQ(waits.line, 22u);
    const LaneInfo high = lane(trace, 2, 31, 2);
    EXPECT_EQ(high.status, LaneStatus::diverged);
    EXPECT_EQ(high.split_line, 10u);
    EXPECT_EQ(high.line, 30u);
    // The high half runs next, so the reason is the first split, not the split of the low half.
    const LaneInfo done = lane(trace, 4, 0, 4);
    EXPECT_EQ(done.status, LaneStatus::diverged);
    EXPECT_EQ(done.split_line, 10u);
    EXPECT_EQ(lane(trace, 5, 3, 5).status, LaneStatus::ready);
    EXPECT_EQ(lane(trace, 6, 3, 5).status, LaneStatus::active);
}

TEST(Lanes, at_a_barrier_until_it_opens) {
    Maker maker;
    maker.launch(2, 64);
    maker.turn(0, 0, all_lanes, 5, TurnEnd::barrier);  // 0
    maker.turn(1, 0, all_lanes, 5, TurnEnd::barrier);  // 1
    maker.turn(1, 1, all_lanes, 5, TurnEnd::barrier);  // 2
    maker.recorder.barrier_release(1, 0);              // the barrier of another block
    maker.turn(0, 1, all_lanes, 5, TurnEnd::barrier);  // 3
    maker.recorder.barrier_release(0, 0);
    maker.turn(0, 0, all_lanes, 6);  // 4
    const auto trace = maker.finish();
    EXPECT_EQ(lane(trace, 1, 0, 1).status, LaneStatus::at_barrier);
    EXPECT_EQ(lane(trace, 3, 0, 3).status, LaneStatus::at_barrier);
    EXPECT_EQ(lane(trace, 3, 0, 3).line, 5u);
    EXPECT_EQ(lane(trace, 4, 0, 4).status, LaneStatus::ready);
    EXPECT_EQ(lane(trace, 4, 0, 4).line, 6u);
}

TEST(Lanes, warp_sync_finished_faulted) {
    Maker maker;
    maker.launch(1, 32);
    maker.diverge(0, 0, all_lanes, 1, 0xffff);
    maker.turn(0, 0, 0xffff, 2, TurnEnd::warp_sync);  // 1
    maker.recorder.begin_turn(0, 0, 0xffff0000, 3, 3, 0);
    maker.recorder.exit_lanes(0x80000000);
    maker.recorder.end_turn(TurnEnd::warp_sync, 1);    // 2
    maker.turn(0, 0, 0x7fffffff, 4);                   // 3
    maker.turn(0, 0, 0x7ffffffe, 5, TurnEnd::exited);  // 4
    maker.turn(0, 0, 0x00000001, 6, TurnEnd::fault);   // 5
    const auto trace = maker.finish();
    EXPECT_EQ(lane(trace, 2, 0, 2).status, LaneStatus::at_warp_sync);
    EXPECT_EQ(lane(trace, 3, 0, 3).status, LaneStatus::ready);
    EXPECT_EQ(lane(trace, 3, 31, 3).status, LaneStatus::finished);
    EXPECT_EQ(lane(trace, 6, 1, 6).status, LaneStatus::finished);
    EXPECT_EQ(lane(trace, 6, 0, 6).status, LaneStatus::faulted);
}

// Compares the indices and their marks with a search through all turns.
TEST(Lanes, many_turns_against_a_plain_search) {
    std::mt19937_64 random(11);
    Maker maker;
    maker.launch(1, 32);
    for (int i = 0; i < 500; ++i)
        maker.turn(0, 0, static_cast<Mask>(random() & random()) | 1u << i % 32, 1 + i % 90);
    const auto trace = maker.finish();
    Replay replay(trace);
    for (std::uint64_t position = 0; position <= 500; ++position) {
        replay.seek(position);
        const auto lanes = replay.lanes(0, 0, 0, position);
        for (unsigned at = 0; at < warp_size; ++at) {
            std::uint64_t next = position;
            while (next < 500 && (trace->turns[next].mask >> at & 1) == 0)
                ++next;
            std::uint64_t last = 500;
            for (std::uint64_t turn = 0; turn < position; ++turn)
                if ((trace->turns[turn].mask >> at & 1) != 0) last = turn;
            const bool started = last != 500;
            if (next == 500) next = last;  // the lane never runs again
            if (next < 500) {
                ASSERT_EQ(lanes[at].line, trace->turns[next].line) << position << " lane " << at;
            }
            ASSERT_EQ(lanes[at].status == LaneStatus::unstarted, !started);
            if (started && position < 500) {
                ASSERT_EQ(lanes[at].status, next == position ? LaneStatus::ready : LaneStatus::diverged);
            }
        }
    }
}

}  // namespace lanes_test
}  // namespace lanescope::trace
