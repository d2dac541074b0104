// What was counted beside what a GPU measured, as the tab Access shows it.
#include "scene/inspector/counter_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::scene {
namespace counter_table_test {

using session::CounterRow;

session::TimingRecord measured(const std::vector<CounterRow>& rows) {
    session::TimingRecord made;
    made.parameters = {{"block", 64}, {"n", 1024}};
    made.counters = session::CounterComparison{7, "", {{"first", rows}, {"second", rows}}};
    return made;
}

session::FileCounters found(const session::TimingRecord& record, bool recorded, bool same) {
    auto timings = std::make_shared<session::Timings>();
    timings->recorded = recorded;
    timings->report.device.name = "GPU X";
    timings->report.device.driver = "CUDA 13.0, driver 1.2";
    timings->report.date = "2026-11-24T10:00:00Z";
    return {timings, &record, same, ""};
}

const std::vector<CounterRow> rows{
    {"global_load_requests", 8.0, 8, "", false},
    {"warp_instructions", 1263.0, 1270, "one PTX instruction is none, one or several", false},
    {"global_load_sectors", 16.0, 20, "not explained", true},
    {"shared_load_wavefronts", 480.0, 486, "", false},
    {"shared_store_wavefronts", 0.0, 0, "", false},
    {"l1_hit_percent", {}, 0, "", false},
    {"dram_read_bytes", {}, 16'384, "", false},
    {"gpu_ns", {}, 2'560, "", false}};

TEST(CounterTable, says_what_differs_and_why) {
    const session::TimingRecord record = measured(rows);
    const CounterTable table = counter_table(found(record, true, true), 1);
    EXPECT_EQ(table.absent, "");
    EXPECT_EQ(table.origin, "Optimised code on GPU X, driver 1.2, 2026-11-24");
    EXPECT_EQ(table.launch, "launch 2 of 2: second");
    EXPECT_EQ(table.differs, "");
    EXPECT_EQ(table.summary, "1 equal, 2 explained, 1 not explained");
    std::vector<std::string> names;
    for (const CounterLine& line : table.lines)
        names.push_back(line.name);
    EXPECT_EQ(names, (std::vector<std::string>{"warp instructions", "global load sectors",
                                               "shared load wavefronts", "L1 hits", "read from DRAM",
                                               "time while counted", "global load requests"}))
        << "what both sides have as zero is left out";
    EXPECT_EQ(table.lines[0].counted, "1 263");
    EXPECT_EQ(table.lines[0].measured, "1 270");
    EXPECT_FALSE(table.lines[0].remark.empty());
    EXPECT_FALSE(table.lines[0].flagged);
    EXPECT_TRUE(table.lines[1].flagged);
    EXPECT_EQ(table.lines[2].remark, "within 2 %: the GPU's number varies from run to run");
    EXPECT_EQ(table.lines[3].counted, "–");
    EXPECT_EQ(table.lines[3].measured, "0.0 %");
    EXPECT_EQ(table.lines[4].measured, "16.4 kB");
    EXPECT_EQ(table.lines[5].measured, "2.56 µs");
    EXPECT_EQ(table.lines[6].remark, "");
}

TEST(CounterTable, says_that_it_is_of_other_parameters) {
    const session::TimingRecord record = measured(rows);
    const CounterTable table = counter_table(found(record, false, false), 0);
    EXPECT_EQ(table.origin, "Optimised code on this machine's GPU X, driver 1.2, 2026-11-24");
    EXPECT_EQ(table.differs, "Measured with block = 64, n = 1 024, not with this run's parameters.");
}

TEST(CounterTable, says_why_it_is_empty) {
    session::FileCounters none;
    none.absent = "this text differs from the one that was measured";
    EXPECT_EQ(counter_table(none, 0).absent,
              "No counters of a GPU: this text differs from the one that was measured.");
    session::TimingRecord record = measured(rows);
    EXPECT_NE(counter_table(found(record, true, true), 2).absent.find("only 2 launches"), std::string::npos);
    for (session::LaunchCounters& launch : record.counters->launches)
        for (CounterRow& row : launch.rows)
            row.counted.reset();
    record.counters->counted_error = "the run is too large for the CPU machine; set a smaller input";
    const CounterTable uncounted = counter_table(found(record, true, true), 0);
    EXPECT_EQ(uncounted.summary, "");
    EXPECT_EQ(uncounted.uncounted,
              "Only measured: the run is too large for the CPU machine; set a smaller input.");
}

}  // namespace counter_table_test
}  // namespace lanescope::scene
