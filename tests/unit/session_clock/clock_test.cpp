// The description of a device, registers from machine code, which blocks are recorded, words of the stalls.
#include "session/clock/clock.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "gpu/sampled/stall_reasons.h"
#include "session/clock/device_file.h"
#include "session/clock/file_clock.h"
#include "session/clock/registers.h"

namespace lanescope::session {
namespace clock_test {

std::string shipped_text() {
    return *read_text_file(std::string(LANESCOPE_SOURCE_DIR) + "/assets/devices/h200.toml");
}

TEST(DeviceFile, has_every_figure_with_its_source) {
    const std::string text = shipped_text();
    const auto device = parse_device(text, "h200.toml");
    ASSERT_TRUE(device) << to_text(device.diagnostics().front());
    EXPECT_EQ(device->name, "NVIDIA H200");
    EXPECT_EQ(device->multiprocessors, 132);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        EXPECT_TRUE(line.find(" = ") == std::string::npos || line.starts_with("name") ||
                    line.find('#') != std::string::npos)
            << line << " has no source";
}

TEST(DeviceFile, bad_files_are_located) {
    std::string text = shipped_text();
    const std::size_t at = text.find("clock_ghz");
    const auto negative =
        parse_device(text.substr(0, at) + "clock_ghz = -1\n" + text.substr(text.find('\n', at)), "d.toml");
    ASSERT_FALSE(negative);
    EXPECT_EQ(negative.diagnostics().front().message, "clock_ghz is negative");
    EXPECT_GT(negative.diagnostics().front().line, 0);
    EXPECT_FALSE(parse_device(text.substr(0, at) + text.substr(text.find('\n', at)), "d.toml"));
    EXPECT_FALSE(parse_device(text + "more = 1\n", "d.toml"));
    EXPECT_FALSE(parse_device("[[[", "d.toml"));
}

TEST(Registers, bad_machine_code_has_none) {
    EXPECT_TRUE(registers_of("").empty());
    EXPECT_TRUE(registers_of("\177ELF").empty());
    EXPECT_TRUE(registers_of("\177ELF" + std::string(60, '\377')).empty());
}

TEST(EstimatedWords, have_two_digits) {
    EXPECT_EQ(estimated_words(5.14), "≈ 5.1 µs");
    EXPECT_EQ(estimated_words(9.97), "≈ 10 µs");
    EXPECT_EQ(estimated_words(123), "≈ 120 µs");
    EXPECT_EQ(estimated_time(0.0123), "12 ns");
    EXPECT_EQ(estimated_words(999), "≈ 1.0 ms");
    EXPECT_EQ(estimated_words(2.46e6), "≈ 2.5 s");
}

TEST(WaitWords, say_how_busy_the_schedulers_are_and_what_warps_wait_for) {
    ClockReading reading;
    analysis::LaunchCycles launch;
    launch.rows = 64;
    launch.issue_share = 0.03;
    const auto set = [&](analysis::Stall stall, double cycles) {
        launch.stalls[static_cast<std::size_t>(stall)] = cycles;
    };
    set(analysis::Stall::issues, 100);
    set(analysis::Stall::global_memory, 700);
    set(analysis::Stall::barrier, 200);
    reading.estimate.launches = {launch};
    EXPECT_EQ(wait_words(reading, 0),
              "64 warps share a multiprocessor, whose schedulers issue in 3 % of their cycles. A warp waits "
              "70 % of its time for global memory, 20 % for a barrier.");
    EXPECT_EQ(wait_words(reading, 1), "");
}

TEST(SweptValues, are_choices_or_powers_with_the_value_now) {
    lesson::Parameter block;
    block.choices = {32, 64, 128};
    EXPECT_EQ(swept_values(block, 64), (std::vector<std::int64_t>{32, 64, 128}));
    lesson::Parameter n;
    n.min = 1, n.max = 1 << 20;
    const std::vector<std::int64_t> values = swept_values(n, 1000);
    EXPECT_LE(values.size(), 12u);
    EXPECT_NE(std::find(values.begin(), values.end(), 1000), values.end());
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    lesson::Parameter fixed;
    fixed.choices = {7};
    EXPECT_TRUE(swept_values(fixed, 7).empty()) << "there is nothing to compare";
}

TEST(SampledBlocks, have_both_ends_of_the_grid) {
    EXPECT_EQ(sampled_blocks(1), std::vector<std::uint32_t>{0});
    EXPECT_EQ(sampled_blocks(3), (std::vector<std::uint32_t>{0, 1, 2}));
    const std::vector<std::uint32_t> large = sampled_blocks(1'000'000);
    EXPECT_EQ(large.front(), 0u);
    EXPECT_EQ(large.back(), 999'999u);
    EXPECT_LE(large.size(), 32u);
}

TEST(Stalls, have_the_words_of_the_samples) {
    for (std::size_t i = 0; i < analysis::stall_count; ++i) {
        const std::string_view name = analysis::to_text(static_cast<analysis::Stall>(i));
        EXPECT_TRUE(std::any_of(gpu::stall_reasons().begin(), gpu::stall_reasons().end(),
                                [&](const gpu::StallReason& reason) { return reason.name == name; }))
            << name;
    }
}

}  // namespace clock_test
}  // namespace lanescope::session
