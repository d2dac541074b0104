#include <gtest/gtest.h>

#include "scene/inspector/timing_bars.h"

namespace lanescope::scene {
namespace timings_test {

lesson::Topic two_lessons() {
    lesson::Topic topic;
    topic.name = "reduction";
    for (const char* name : {"slow", "fast"}) {
        lesson::LessonEntry entry;
        entry.name = name;
        entry.title = std::string("The ") + name + " one";
        entry.path = std::string("kernels/reduction/") + name + ".cu";
        topic.lessons.push_back(entry);
    }
    return topic;
}

session::TimingRecord record(const std::string& name, double ms) {
    session::TimingRecord made;
    made.file = "kernels/reduction/" + name + ".cu";
    made.bytes = 8'000'000'000;
    made.copy_gb_per_s = 4000;
    made.timing.median_ms = ms;
    made.timing.minimum_ms = ms / 2, made.timing.lower_quartile_ms = ms / 1.25;
    made.timing.upper_quartile_ms = ms * 1.25, made.timing.maximum_ms = ms * 2;
    made.timing.runs = 21;
    return made;
}

session::TimedDevice copy_of(double gb_per_s) {
    session::TimedDevice device;
    device.copy_gb_per_s = gb_per_s;
    return device;
}

TEST(TimingBars, begin_with_the_launch_of_an_empty_kernel) {
    const lesson::Topic topic = two_lessons();
    session::TimingRecord slow = record("slow", 0.008);
    session::TimedDevice device = copy_of(4000);
    device.empty_launch_ms = 0.0023;
    const std::vector<TimingBar> bars = timing_bars({1, {&slow}}, topic, nullptr, device);
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_EQ(bars[0].title, "An empty kernel: the launch alone");
    EXPECT_EQ(bars[0].figures, "2.30 µs");
    EXPECT_EQ(bars[0].rate, 0) << "it moves nothing, so it has no bar";
    EXPECT_TRUE(bars[0].file.empty()) << "a click opens nothing";
}

TEST(TimingBars, show_bandwidth_spread_and_share_of_the_copy) {
    lesson::Topic topic = two_lessons();
    topic.lessons[0].timing = "It waits.", topic.lessons[1].timing = "It does\nnot wait.\n";
    session::TimingRecord slow = record("slow", 8), fast = record("fast", 2.5);
    fast.peer = session::PeerRecord{"cub_reduce", "CUB 1.2.3", fast.timing, 8'000'000'000, ""};
    slow.peer = session::PeerRecord{"cub_reduce", "CUB 1.2.3", record("slow", 2).timing, 8'000'000'000, ""};
    const session::SizeGroup group{1 << 28, {&slow, &fast}};
    const std::vector<TimingBar> bars = timing_bars(group, topic, &topic.lessons[1], copy_of(4000));
    ASSERT_EQ(bars.size(), 3u);
    EXPECT_TRUE(bars[0].library);
    EXPECT_EQ(bars[0].title, "CUB 1.2.3, cub_reduce");
    EXPECT_TRUE(bars[0].file.empty());
    EXPECT_DOUBLE_EQ(bars[0].rate, 3200);  // from the open file's run; the other file's run was faster
    EXPECT_DOUBLE_EQ(timing_bars(group, topic, nullptr, copy_of(4000))[0].rate, 4000);
    EXPECT_EQ(bars[1].title, "The slow one");
    EXPECT_EQ(bars[1].figures, "8.00 ms · 1 000 GB/s · 25 %");
    EXPECT_FALSE(bars[1].open);
    EXPECT_TRUE(bars[2].open);
    EXPECT_EQ(bars[1].why, "") << "only the open lesson is explained";
    EXPECT_EQ(bars[2].why, "It does not wait.");
    EXPECT_DOUBLE_EQ(bars[2].rate, 3200);
    EXPECT_DOUBLE_EQ(bars[2].low, 1600);  // the slowest run
    EXPECT_DOUBLE_EQ(bars[2].lower, 2560);
    EXPECT_DOUBLE_EQ(bars[2].upper, 4000);
    EXPECT_DOUBLE_EQ(bars[2].high, 6400);
}

TEST(TimingBars, tell_what_the_gpu_counted) {
    const lesson::Topic topic = two_lessons();
    session::TimingRecord slow = record("slow", 8), fast = record("fast", 2);
    session::LaunchCounters launch{"reduce", {}};
    launch.rows.push_back({"l1_hit_percent", {}, 25.4, "", false});
    launch.rows.push_back({"dram_read_bytes", {}, 1'073'000'000, "", false});
    launch.rows.push_back({"gpu_ns", {}, 300, "", false});
    slow.counters = session::CounterComparison{7, "", {launch, launch, launch, launch, launch}};
    fast.counters_error = "the driver does not permit it";
    const std::vector<TimingBar> bars = timing_bars({1, {&slow, &fast}}, topic, nullptr, copy_of(4000));
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_NE(bars[0].details.find("\nreduce: L1 hits 25 %, DRAM read 1.07 GB\n"), std::string::npos)
        << bars[0].details;
    EXPECT_TRUE(bars[0].details.ends_with("\nand 2 more")) << bars[0].details;
    EXPECT_TRUE(bars[1].details.ends_with("\nno counters: the driver does not permit it"));
}

TEST(TimingBars, tell_what_a_time_is_not) {
    const lesson::Topic topic = two_lessons();
    session::TimingRecord wrong = record("slow", 8), failed = record("fast", 0);
    wrong.checked = session::TimingRecord::Checked::wrong;
    wrong.mismatch = "out[0] is 3 instead of 4";
    failed.error = "too much shared memory";
    std::vector<TimingBar> bars = timing_bars({1, {&wrong, &failed}}, topic, nullptr, copy_of(4000));
    EXPECT_TRUE(bars[0].wrong);
    EXPECT_EQ(bars[0].note, "the result is wrong: out[0] is 3 instead of 4");
    EXPECT_TRUE(bars[1].wrong);
    EXPECT_EQ(bars[1].note, "not timed: too much shared memory");
    EXPECT_EQ(bars[1].figures, "");
    session::TimingRecord defect = record("slow", 8), unknown = record("fast", 0.004);
    defect.expected_problems = {"race"};
    unknown.bytes = 0;
    bars = timing_bars({1, {&defect, &unknown}}, topic, nullptr, copy_of(4000));
    EXPECT_FALSE(bars[0].wrong);
    EXPECT_EQ(bars[0].note, "the file shows a defect: its result may be wrong");
    EXPECT_EQ(bars[1].figures, "4.00 µs");
    EXPECT_EQ(bars[1].rate, 0);
}

}  // namespace timings_test
}  // namespace lanescope::scene
