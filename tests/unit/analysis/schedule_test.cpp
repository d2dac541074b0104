// Schedules of hand-made streams.
#include "analysis/schedule.h"

#include <gtest/gtest.h>

#include "trace/record.h"

namespace lanescope::analysis {
namespace schedule_test {

using trace::Record;
using trace::RecordKind;

struct Point {
    std::uint32_t pc = 0;
    std::uint64_t cycle = 0;
};

// Streams with records of one thread per warp; a block of 64 threads has two warps.
struct Made {
    trace::RecordStreams streams;

    explicit Made(std::uint32_t blocks, std::uint32_t threads = 64) {
        for (std::uint32_t block = 0; block < blocks; ++block)
            streams.blocks.push_back(block);
        streams.block_threads = threads;
        streams.capacity = 16;
        streams.counts.resize(streams.threads());
        streams.records.resize(std::size_t{streams.threads()} * streams.capacity);
    }
    void add(std::uint32_t block, std::uint32_t thread, RecordKind kind, std::uint32_t pc,
             std::uint32_t extra, std::uint64_t value) {
        const std::uint32_t slot = block * streams.block_threads + thread;
        streams.records[std::size_t{streams.counts[slot]++} * streams.threads() + slot] = {
            trace::record_head(kind, pc), extra, value};
    }
    void warp(std::uint32_t block, std::uint32_t thread, std::uint32_t sm, std::uint64_t begin_ns,
              std::uint64_t end_ns, const std::vector<Point>& points = {}) {
        add(block, thread, RecordKind::begin, 0, sm, begin_ns);
        for (const Point& point : points)
            add(block, thread, RecordKind::point, point.pc, ~0u, point.cycle);
        if (end_ns != 0) add(block, thread, RecordKind::end, 0, sm, end_ns);
    }
};

const ScheduledBlock& find(const Schedule& schedule, std::uint32_t block) {
    for (const ScheduledBlock& each : schedule.blocks)
        if (each.block == block) return each;
    ADD_FAILURE() << "the schedule lacks block " << block;
    return schedule.blocks.front();
}

TEST(Schedule, two_waves_and_a_tail) {
    // SM 3 runs blocks 0 and 1 at once, then block 2. SM 5 runs block 3 and ends early.
    Made made(4, 32);
    made.warp(0, 0, 3, 1000, 1100);
    made.warp(1, 0, 3, 1000, 1140);
    made.warp(2, 0, 3, 1100, 1200);
    made.warp(3, 0, 5, 1010, 1100);
    const Schedule schedule = schedule_of(made.streams, {}, 4);
    ASSERT_EQ(schedule.sms.size(), 2u);
    EXPECT_EQ(schedule.sms[0].sm, 3u);
    EXPECT_EQ(schedule.sms[0].lanes, 2u);
    EXPECT_EQ(schedule.sms[1].lanes, 1u);
    EXPECT_EQ(schedule.blocks_per_sm, 2u);
    EXPECT_EQ(schedule.blocks_at_once, 3u);
    EXPECT_DOUBLE_EQ(schedule.waves, 4.0 / 3);
    EXPECT_DOUBLE_EQ(schedule.length_ns, 200);
    EXPECT_EQ(find(schedule, 2).span, (Span{100, 200}));
    EXPECT_EQ(find(schedule, 2).lane, 0u);  // the place of block 0
    EXPECT_EQ(find(schedule, 2).wave, 1u);
    EXPECT_EQ(find(schedule, 1).lane, 1u);
    // SM 5 is idle from 100 ns on: half of the time is tail, and half of the SMs are idle in it.
    EXPECT_DOUBLE_EQ(schedule.tail_begin_ns, 100);
    EXPECT_DOUBLE_EQ(schedule.tail_share, 0.5);
    EXPECT_DOUBLE_EQ(schedule.idle_in_tail, 0.5);
}

TEST(Schedule, waves_and_a_tail_follow_from_all_blocks_only) {
    Made made(2, 32);
    made.warp(0, 0, 3, 1000, 1100);
    made.warp(1, 0, 5, 1000, 1200);
    const Schedule part = schedule_of(made.streams, {}, 891);
    EXPECT_FALSE(part.whole);
    EXPECT_EQ(part.waves, 0);
    EXPECT_EQ(part.tail_share, 0);
    EXPECT_EQ(part.blocks_per_sm, 0u);
    EXPECT_DOUBLE_EQ(part.length_ns, 200);
    EXPECT_GT(schedule_of(made.streams, {}, 2).tail_share, 0);
}

TEST(Schedule, barrier_waits_lie_between_first_and_last_arrival) {
    Made made(1);
    // 1000 cycles take 500 ns. The instruction with pc 7 waits.
    made.warp(0, 0, 0, 2000, 2500, {{1, 10000}, {7, 10100}, {2, 10500}, {7, 10600}, {9, 11000}});
    made.warp(0, 32, 0, 2000, 2490, {{1, 10010}, {7, 10400}, {2, 10500}, {7, 10580}, {9, 10900}});
    std::vector<bool> barriers(10);
    barriers[7] = true;
    const Schedule schedule = schedule_of(made.streams, barriers, 1);
    ASSERT_EQ(schedule.blocks.size(), 1u);
    EXPECT_EQ(schedule.blocks[0].waits, (std::vector<Span>{{50, 200}, {290, 300}}));
    EXPECT_DOUBLE_EQ(schedule.cycles_per_ns, 2);
}

TEST(Schedule, clocks_of_the_multiprocessors_meet_at_the_launch_s_begin) {
    Made made(2, 32);
    made.warp(0, 0, 0, 5000, 5100, {{1, 70000}, {2, 70200}});
    made.warp(1, 0, 2, 5040, 5140, {{1, 900}, {2, 1100}});  // 40 ns later: 80 cycles
    const Schedule schedule = schedule_of(made.streams, {}, 2);
    EXPECT_DOUBLE_EQ(schedule.cycles_per_ns, 2);
    EXPECT_EQ(schedule.clock_offsets, (std::vector<std::uint64_t>{70000, 0, 820}));
}

TEST(Schedule, blocks_without_an_end_say_so) {
    Made made(3, 32);
    made.warp(0, 0, 0, 100, 0, {{1, 5}});
    made.warp(1, 0, 0, 100, 150);
    const Schedule schedule = schedule_of(made.streams, {}, 3);
    ASSERT_EQ(schedule.blocks.size(), 2u);  // block 2 never began
    EXPECT_FALSE(find(schedule, 0).ended);
    EXPECT_TRUE(find(schedule, 1).ended);
    EXPECT_EQ(schedule_of({}, {}, 0).blocks.size(), 0u);
}

}  // namespace schedule_test
}  // namespace lanescope::analysis
