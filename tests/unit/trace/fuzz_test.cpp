// Compares random turns with a plain model at every position, reached forwards, backwards and from anywhere.
#include <gtest/gtest.h>

#include <cstring>

#include "model.h"
#include "trace/replay.h"

namespace lanescope::trace {
namespace fuzz_test {

class RandomTrace : public ::testing::TestWithParam<unsigned> {
  protected:
    ModelRun run_{{.seed = GetParam()}};
};

TEST_P(RandomTrace, every_position_forwards_and_backwards) {
    const std::size_t end = run_.trace->turns.size();
    ASSERT_EQ(run_.states.size(), end + 1);
    Replay replay(run_.trace);
    std::vector<std::uint64_t> hashes;
    for (std::size_t at = 0; at <= end; ++at) {
        replay.seek(at);
        ASSERT_EQ(replay.position(), at);
        ASSERT_EQ(difference(replay, run_.states[at]), "") << "position " << at;
        hashes.push_back(replay.state_hash());
    }
    for (std::size_t at = end + 1; at-- > 0;) {
        replay.seek(at);
        ASSERT_EQ(difference(replay, run_.states[at]), "") << "back at " << at;
        ASSERT_EQ(replay.state_hash(), hashes[at]) << "back at " << at;
    }
}

TEST_P(RandomTrace, any_position_from_anywhere) {
    std::mt19937_64 random(GetParam());
    Replay replay(run_.trace);
    for (int i = 0; i < 100; ++i) {
        const std::size_t at = random() % run_.states.size();
        replay.seek(at);
        ASSERT_EQ(difference(replay, run_.states[at]), "") << "position " << at;
    }
}

void expect_same(const Access& got, const Access& want) {
    EXPECT_EQ(got.kind, want.kind);
    EXPECT_EQ(got.space, want.space);
    EXPECT_EQ(got.width_bytes, want.width_bytes);
    EXPECT_EQ(got.ordinal, want.ordinal);
    EXPECT_EQ(got.pc, want.pc);
    ASSERT_EQ(got.mask, want.mask);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((want.mask >> lane & 1) == 0) continue;
        ASSERT_EQ(got.owner, want.owner);
        ASSERT_EQ(got.offset[lane], want.offset[lane]);
        ASSERT_EQ(std::memcmp(got.before[lane].data(), want.before[lane].data(), want.width_bytes), 0);
        ASSERT_EQ(std::memcmp(got.value[lane].data(), want.value[lane].data(), want.width_bytes), 0);
    }
}

TEST_P(RandomTrace, details_have_the_values) {
    Replay replay(run_.trace);
    for (std::size_t at = 0; at < run_.turns.size(); ++at) {
        const auto details = replay.details(at, at + 1, run_.trace->turns[at].block);
        ASSERT_EQ(details.size(), 1u);
        const ModelTurn& want = run_.turns[at];
        ASSERT_EQ(details[0].accesses.size(), want.accesses.size()) << "turn " << at;
        for (std::size_t i = 0; i < want.accesses.size(); ++i)
            expect_same(details[0].accesses[i], want.accesses[i]);
        ASSERT_EQ(details[0].branches.size(), want.branches.size());
        for (std::size_t i = 0; i < want.branches.size(); ++i) {
            EXPECT_EQ(details[0].branches[i].pc, want.branches[i].pc);
            EXPECT_EQ(details[0].branches[i].taken, want.branches[i].taken);
        }
        ASSERT_EQ(details[0].jumps.size(), want.jumps.size());
        ASSERT_EQ(details[0].exchanges.size(), want.exchanges.size());
        for (std::size_t i = 0; i < want.exchanges.size(); ++i)
            EXPECT_EQ(details[0].exchanges[i].source, want.exchanges[i].source);
        EXPECT_EQ(details[0].syncs, want.syncs);
        ASSERT_EQ(difference(replay, run_.states[at + 1]), "");
    }
}

TEST_P(RandomTrace, decoding_needs_no_state) {
    TurnDetail detail;
    for (std::size_t at = 0; at < run_.turns.size(); ++at) {
        decode(*run_.trace, at, detail);
        ASSERT_EQ(detail.accesses.size(), run_.turns[at].accesses.size());
        for (std::size_t i = 0; i < detail.accesses.size(); ++i) {
            const Access &got = detail.accesses[i], &want = run_.turns[at].accesses[i];
            const std::uint32_t line = want.line != 0 ? want.line : run_.trace->turns[at].line;
            EXPECT_EQ(got.line, line);
            EXPECT_EQ(got.pc, want.pc);
            EXPECT_EQ(got.ordinal, want.ordinal);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrace, ::testing::Range(1u, 9u));

TEST(RandomTraceSnapshots, several_are_made) {
    const ModelRun run({.seed = 99});
    EXPECT_GT(run.trace->size_bytes(), 50000u);
}

}  // namespace fuzz_test
}  // namespace lanescope::trace
