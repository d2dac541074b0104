// How times are taken and summarised, with a fake driver and with the real one.
#include "gpu/clean/timing.h"

#include "fixture.h"
#include "gpu/clean/clean_run.h"
#include "gpu/clean/empty_launch.h"
#include "gpu/driver/memory.h"

namespace lanescope::gpu {
namespace timing_test {

TEST(Timing, quartiles_lie_between_the_times) {
    const Timing five = statistics({5, 1, 4, 2, 3});
    EXPECT_EQ(five.median_ms, 3);
    EXPECT_EQ(five.minimum_ms, 1);
    EXPECT_EQ(five.maximum_ms, 5);
    EXPECT_EQ(five.lower_quartile_ms, 2);
    EXPECT_EQ(five.upper_quartile_ms, 4);
    EXPECT_EQ(five.runs, 5);
    const Timing four = statistics({4, 1, 3, 2});
    EXPECT_EQ(four.median_ms, 2.5);
    EXPECT_EQ(four.lower_quartile_ms, 1.75);
    EXPECT_EQ(statistics({7}).upper_quartile_ms, 7);
    EXPECT_EQ(statistics({}).runs, 0);
}

TEST(Timing, the_other_copies_fill_the_cache) {
    constexpr std::uint64_t mib = 1 << 20, l2 = 60 * mib, memory = 100'000 * mib;
    for (const std::uint64_t bytes : {2 * mib, 7 * mib, 59 * mib, 60 * mib, 61 * mib, 4000 * mib}) {
        const std::size_t copies = rotating_copies(bytes, l2, memory);
        EXPECT_GE((copies - 1) * bytes, l2) << bytes;
        EXPECT_LE(copies, 1 + (l2 + bytes - 1) / bytes) << bytes;
    }
    EXPECT_EQ(rotating_copies(64, l2, memory), 32u);  // small copies do not fill it; the cache is flushed
    EXPECT_EQ(rotating_copies(0, l2, memory), 1u);
    EXPECT_EQ(rotating_copies(20 * mib, l2, 50 * mib), 2u);  // memory limits the copies
    EXPECT_EQ(rotating_copies(90 * mib, l2, 50 * mib), 1u);
}

// Records the calls of measure() in order.
struct Calls {
    std::vector<std::string> names;
    Work work(std::size_t copies) {
        Work made;
        made.copies = copies;
        made.launch = [this](std::size_t copy) {
            names.push_back("launch " + std::to_string(copy));
            return Result<void>();
        };
        made.restore = [this](std::size_t copy) {
            names.push_back("restore " + std::to_string(copy));
            return Result<void>();
        };
        return made;
    }
};

class TimedOnAGpu : public RealGpu {};

TEST_F(TimedOnAGpu, an_empty_launch_takes_some_microseconds) {
    const auto empty = time_empty_launch(*context_);
    ASSERT_TRUE(empty) << to_text(empty.diagnostics());
    EXPECT_GT(empty->median_ms, 0.0001);
    EXPECT_LT(empty->median_ms, 0.1);
    EXPECT_GE(empty->runs, min_runs);
}

TEST_F(TimedOnAGpu, copies_rotate_and_are_restored_after_each_run_but_the_last) {
    Calls calls;
    MeasureOptions options;
    options.warm_up = 1;
    const auto timing = measure(*context_, calls.work(2), options);
    ASSERT_TRUE(timing) << to_text(timing.diagnostics());
    EXPECT_EQ(timing->runs, min_runs);
    EXPECT_EQ(timing->copies, 2u);
    ASSERT_EQ(calls.names.size(), 2u * 22 - 1);
    EXPECT_EQ(calls.names[0], "launch 0");
    EXPECT_EQ(calls.names[1], "restore 0");
    EXPECT_EQ(calls.names[2], "launch 1");
    EXPECT_EQ(calls.names.back(), "launch 1");
}

TEST_F(TimedOnAGpu, a_failed_launch_is_told) {
    Work work;
    work.launch = [](std::size_t) { return Result<void>(error("no such kernel")); };
    const auto timing = measure(*context_, work);
    ASSERT_FALSE(timing);
    EXPECT_EQ(to_text(timing.diagnostics()), "error: no such kernel\n");
}

TEST_F(TimedOnAGpu, a_large_copy_takes_longer_than_a_small_one) {
    const auto time_of = [&](std::uint64_t bytes) {
        auto from = DeviceBuffer::allocate(*context_, bytes), to = DeviceBuffer::allocate(*context_, bytes);
        Work work;
        work.launch = [&](std::size_t) {
            return context_->check(context_->driver().memcpy_dtod_async(to->address(), from->address(), bytes,
                                                                        context_->stream()),
                                   "copying");
        };
        return measure(*context_, work)->median_ms;
    };
    EXPECT_GT(time_of(256u << 20), 4 * time_of(1u << 20));
}

}  // namespace timing_test
}  // namespace lanescope::gpu
