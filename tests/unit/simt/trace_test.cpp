// What a traced run records.
#include <gtest/gtest.h>

#include <numeric>

#include "device.h"

namespace lanescope::simt {
namespace {

// The modulo reduction of two warps: 64 threads sum 64 values.
class ReduceTrace : public testing::Test {
  protected:
    void SetUp() override {
        std::iota(values_.begin(), values_.end(), 1.0f);
        in_ = device_.buffer(values_, "in");
        out_ = device_.unset<float>(1, "out");
        device_.record();
        outcome_ = device_.run("reduceModulo", {1, 1, 1}, {64, 1, 1}, in_, out_, 64);
        trace_ = device_.finish();
    }
    std::vector<std::uint32_t> lines_of(std::uint16_t warp) const {
        std::vector<std::uint32_t> lines;
        for (const trace::Turn& turn : trace_->turns)
            if (turn.warp == warp && (lines.empty() || lines.back() != turn.line)) lines.push_back(turn.line);
        return lines;
    }

    Device device_{corpus("simt_reduce_modulo.ptx")};
    std::vector<float> values_ = std::vector<float>(64);
    DeviceAddress in_ = 0, out_ = 0;
    Outcome outcome_;
    std::shared_ptr<const trace::Trace> trace_;
};

TEST_F(ReduceTrace, sums) {
    EXPECT_EQ(outcome_.ending, Ending::finished);
    EXPECT_EQ(device_.read<float>(out_, 1)[0], 2080.0f);
    EXPECT_EQ(device_.kinds(), Kinds{});
}

TEST_F(ReduceTrace, steps_follow_the_source) {
    // Setup, six rounds of the loop, the last test of its condition, the result.
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t line : {3, 5, 6, 7, 8}) expected.push_back(line);
    for (int round = 0; round < 6; ++round)
        for (const std::uint32_t line : {9, 10, 11, 13}) expected.push_back(line);
    for (const std::uint32_t line : {9, 15, 16}) expected.push_back(line);
    EXPECT_EQ(lines_of(0), expected);
    // From the sixth round on, no thread of warp 1 is a multiple of 64.
    expected.erase(expected.begin() + 5 + 5 * 4 + 2);
    EXPECT_EQ(lines_of(1), expected);
}

TEST_F(ReduceTrace, replay_goes_both_ways) {
    trace::Replay replay(trace_);
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t i = 0; i <= trace_->turns.size(); ++i) {
        replay.seek(i);
        hashes.push_back(replay.state_hash());
    }
    for (std::uint64_t i = trace_->turns.size() + 1; i-- > 0;) {
        replay.seek(i);
        ASSERT_EQ(replay.state_hash(), hashes[i]) << i;
    }
}

}  // namespace
}  // namespace lanescope::simt
