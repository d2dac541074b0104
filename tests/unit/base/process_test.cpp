#include "base/process.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace lanescope {
namespace {

TEST(Process, FeedsInputAndReturnsBothStreams) {
    const std::string input(1 << 20, 'x');
    const auto outcome = run_process({"sh", "-c", "cat; echo problem >&2; exit 3"}, input, 10'000);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->out, input);
    EXPECT_EQ(outcome->err, "problem\n");
    EXPECT_EQ(outcome->exit_code, 3);
    EXPECT_FALSE(outcome->timed_out);
}

TEST(Process, bad_TimeLimitKillsTheChild) {
    const auto outcome = run_process({"sleep", "60"}, "", 100);
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->timed_out);
}

TEST(Process, bad_OutputLimitKillsTheChild) {
    const auto outcome = run_process({"yes"}, "", 10'000, 1 << 16);
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->too_much_output);
    EXPECT_FALSE(outcome->timed_out);
    EXPECT_FALSE(outcome->succeeded());
}

TEST(Process, bad_ChildThatIgnoresItsInputOrDies) {
    const auto ignoring = run_process({"true"}, std::string(1 << 20, 'x'), 10'000);
    ASSERT_TRUE(ignoring);
    EXPECT_EQ(ignoring->exit_code, 0);
    const auto killed = run_process({"sh", "-c", "kill -SEGV $$"}, "", 10'000);
    ASSERT_TRUE(killed);
    EXPECT_EQ(killed->signal, 11);
}

TEST(Process, CancellingEndsTheChild) {
    std::atomic<bool> cancel = false;
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        cancel = true;
    });
    const auto outcome = run_process({"sleep", "60"}, "", 60'000, 1000, &cancel);
    later.join();
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->cancelled);
    EXPECT_FALSE(outcome->timed_out);
    EXPECT_EQ(outcome->signal, 0);
}

TEST(Process, bad_ProgramThatDoesNotExist) {
    EXPECT_FALSE(run_process({"/no/such/program"}, "", 1000));
    EXPECT_FALSE(run_process({}, "", 1000));
}

}  // namespace
}  // namespace lanescope
