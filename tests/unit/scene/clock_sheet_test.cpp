// The tab "Clock": an estimate in words, what is supposed, other values of a parameter.
#include "scene/inspector/clock_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"

namespace lanescope::scene {
namespace clock_sheet_test {

using analysis::Stall;

constexpr const char* source = "one\n  two();\nthree\n";

session::ClockReading reading(double microseconds) {
    session::ClockReading made;
    made.device = "NVIDIA H200";
    made.error = {239, 0.08, 0.26};
    made.parameters = {{"block", 64}, {"n", 128}};
    made.estimate.microseconds = microseconds;
    made.estimate.launch_microseconds = 3.6;
    analysis::LaunchCycles launch;
    launch.limit = "latency: its warps wait, and no unit is busy";
    launch.l2_share = 0.25;
    launch.resident_blocks = 1;
    made.estimate.launches = {launch};
    analysis::LineCycles line;
    line.line = 2;
    line.stalls[static_cast<std::size_t>(Stall::barrier)] = 25;
    line.stalls[static_cast<std::size_t>(Stall::global_memory)] = 70;
    line.stalls[static_cast<std::size_t>(Stall::issues)] = 5;
    made.estimate.lines = {line};
    session::ClockedLaunch of;
    of.kernel = "reduce";
    of.source = session::RegisterSource::assembler;
    of.occupancy.block = {64, 20, 0};
    of.occupancy.occupancy = {32, 64, 64, "blocks"};
    made.launches = {of};
    return made;
}

TEST(ClockSheet, tells_time_limit_and_reasons) {
    const ClockSheet sheet = clock_sheet(reading(5.14), 7, source);
    EXPECT_EQ(sheet.time, "≈ 5.1 µs");
    EXPECT_EQ(sheet.launch, "mostly the launch: ≈ 3.6 µs of it");
    EXPECT_EQ(sheet.limit, "limited by latency: its warps wait, and no unit is busy");
    EXPECT_EQ(sheet.shares.at(2).unit, "L2");
    EXPECT_EQ(sheet.shares.at(2).share, 0.25);
    EXPECT_EQ(sheet.occupancy,
              "A multiprocessor holds 32 blocks, 64 of 64 warps, limited by the number of blocks. The grid "
              "gives it 1.");
    EXPECT_EQ(sheet.registers, "20 registers a thread, from NVIDIA's assembler");
    ASSERT_EQ(sheet.lines.size(), 1u);
    EXPECT_EQ(sheet.lines[0].code, "two();");
    EXPECT_EQ(sheet.lines[0].reasons,
              "70 % waits for global or local memory, 25 % waits at a barrier for other warps");
    EXPECT_EQ(sheet.error,
              "Estimated for an NVIDIA H200 from the CPU machine's trace; on 239 recorded runs half of the "
              "estimates were within 8 %, nine of ten within 26 %.");
    EXPECT_TRUE(clock_sheet(reading(80), 0, source).launch.empty());
}

TEST(ClockSheet, sorts_limits_and_tells_spills) {
    session::ClockReading made = reading(5);
    made.launches[0].limits = {
        {"threads", "64 warps / 2 of a block", 32}, {"blocks", "at most 32", 32}, {"shared_memory", "…", 13}};
    made.launches[0].occupancy.occupancy.limiter = "shared_memory";
    session::Resources resources;
    resources.kernels = {{"reduce", "_Z6reducePi", 20, 8, 8, 16, 0, 0, 0}};
    const ClockSheet sheet = clock_sheet(made, 0, source, &resources);
    ASSERT_EQ(sheet.limits.size(), 3u);
    EXPECT_EQ(sheet.limits[0].name, "shared memory");
    EXPECT_EQ(sheet.limits[0].blocks, "13 blocks");
    EXPECT_TRUE(sheet.limits[0].decides);
    EXPECT_EQ(sheet.limits[1].name, "threads");
    EXPECT_FALSE(sheet.limits[1].decides);
    EXPECT_TRUE(sheet.spills.starts_with("Spills: 8 bytes of stores and 16 bytes of loads a thread."));
    resources.kernels[0].spill_store_bytes = resources.kernels[0].spill_load_bytes = 0;
    EXPECT_EQ(clock_sheet(made, 0, source, &resources).spills, "");
    EXPECT_EQ(clock_sheet(made, 0, source).spills, "");
}

TEST(ClockSheet, says_why_there_is_no_estimate) {
    session::ClockReading refused = reading(0);
    refused.estimate.refused = "it prints";
    refused.estimate.refused_line = 3;
    const ClockSheet sheet = clock_sheet(refused, 0, source);
    EXPECT_EQ(sheet.refused, "No estimate: it prints");
    EXPECT_EQ(sheet.refused_line, 3u);
    EXPECT_TRUE(sheet.time.empty());
}

TEST(ClockSheet, is_compared_with_a_time_of_the_same_text_and_parameters) {
    session::Timings timings;
    timings.recorded = true;
    timings.report.device.name = "NVIDIA H200";
    session::TimingRecord record;
    record.text_hash = content_hash(source);
    record.parameters = {{"block", 64}, {"n", 128}};
    record.timing.median_ms = 0.0050;
    timings.report.timings = {record};
    EXPECT_EQ(timed_words(reading(4.7), timings, source), "recorded 5.00 µs: the estimate is 6 % too low");
    EXPECT_EQ(timed_words(reading(5.5), timings, source), "recorded 5.00 µs: the estimate is 10 % too high");
    EXPECT_EQ(timed_words(reading(5), timings, "another"), "");
    session::ClockReading larger = reading(5);
    larger.parameters["n"] = 256;
    EXPECT_EQ(timed_words(larger, timings, source), "");
    timings.recorded = false;
    timings.report.device.name = "NVIDIA T4";
    EXPECT_EQ(timed_words(reading(4.7), timings, source), "measured 5.00 µs on an NVIDIA T4");
}

const ClockKnob& knob(const std::vector<ClockKnob>& knobs, const std::string& label) {
    return *std::find_if(knobs.begin(), knobs.end(),
                         [&](const ClockKnob& each) { return each.label == label; });
}

TEST(ClockKnobs, rest_where_nothing_is_supposed) {
    analysis::DeviceModel device;
    device.schedulers = 4, device.clock_ghz = 1.98;
    const std::vector<ClockKnob> knobs = clock_knobs(reading(5), device, {}, 0);
    ASSERT_EQ(knobs.size(), 6u);
    for (const ClockKnob& each : knobs)
        EXPECT_EQ(turned(each, {}, each.share), session::WhatIf{}) << each.label;
    EXPECT_EQ(knob(knobs, "clock").value, "1.98 GHz");
    EXPECT_EQ(knob(knobs, "registers per thread").value, "20");
    EXPECT_NEAR(knob(knobs, "memory latency").share, 0.5, 1e-9);
    EXPECT_FALSE(knob(knobs, "clock").checked.empty());
    EXPECT_EQ(turned(knob(knobs, "memory latency"), {}, 1).latency, 2);
    EXPECT_EQ(turned(knob(knobs, "schedulers"), {}, 0).schedulers, 1);
    session::WhatIf supposed;
    supposed.resident_blocks = 8;
    EXPECT_EQ(knob(clock_knobs(reading(5), device, supposed, 0), "resident blocks").value, "8");
}

TEST(ClockKnobs, a_launch_that_leaves_no_choice_has_no_knob) {
    session::ClockReading one = reading(5);
    one.launches[0].occupancy.occupancy.blocks_per_sm = 1;
    for (const ClockKnob& each : clock_knobs(one, {}, {}, 0))
        EXPECT_NE(each.label, "resident blocks");
}

TEST(SpeedWords, say_which_is_faster) {
    EXPECT_EQ(speed_words(5.1, 3.4), "1.5 times as fast");
    EXPECT_EQ(speed_words(10, 12), "takes 1.2 times as long");
    EXPECT_EQ(speed_words(10, 10.1), "about as fast");
    EXPECT_EQ(speed_words(1000, 2), "500 times as fast");
}

TEST(SweepPlot, marks_the_value_now_and_the_fastest) {
    const session::FileClock::Sweep sweep{
        "block", {{32, 8, ""}, {64, 5.4, ""}, {128, 4.1, ""}, {2048, 0, "too large"}}};
    const SweepPlot plot = sweep_plot(sweep, 64);
    ASSERT_EQ(plot.dots.size(), 3u);
    EXPECT_EQ(plot.best, "fastest with block = 128: ≈ 4.1 µs, 1.3 times as fast as now");
    EXPECT_EQ(plot.refused, "1 value has no estimate: too large");
    EXPECT_EQ(plot.dots[0].x, 0);
    EXPECT_NEAR(plot.dots[1].x, 0.5, 1e-9) << "the axis is logarithmic";
    EXPECT_TRUE(plot.dots[1].now);
    EXPECT_TRUE(plot.dots[2].best);
    EXPECT_EQ(plot.dots[2].y, 0);
    EXPECT_LT(plot.dots[0].y, 1) << "the axis spans at least a factor of two";
    EXPECT_EQ(plot.high, "≈ 8.2 µs");
    EXPECT_EQ(sweep_plot(sweep, 128).best, "fastest with block = 128: ≈ 4.1 µs, the value now");
    EXPECT_TRUE(sweep_plot({"block", {{1, 0, "no"}}}, 1).dots.empty());
}

}  // namespace clock_sheet_test
}  // namespace lanescope::scene
