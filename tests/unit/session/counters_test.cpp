#include "session/timing/counters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "session/timing/timing_record.h"

namespace lanescope::session {
namespace counters_test {

const CounterRow* row(const CounterComparison& comparison, const std::string& name) {
    for (const CounterRow& each : comparison.launches.at(0).rows)
        if (each.name == name) return &each;
    return nullptr;
}

Result<TimingReport> shipped_counters() {
    const std::string file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/counters/nvidia-h200.json";
    const Result<std::string> text = read_text_file(file);
    return text ? timing_report_of(*text, file) : text.diagnostics();
}

CounterComparison a_comparison() {
    return measured_counters({{{"smsp__inst_executed.sum", 300},
                               {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 128},
                               {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 70},
                               {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 101},
                               {"lts__t_sector_hit_rate.pct", 62.5},
                               {"sm__warps_active.avg.pct_of_peak_sustained_active", 140.5}}},
                             {"reduce"}, 7);
}

analysis::Metrics counts() {
    analysis::Metrics metrics;
    metrics.warp_instructions = 100;
    metrics.global_load_sectors = 128;
    metrics.global_store_sectors = 64;
    metrics.shared_load_wavefronts = 100;
    return metrics;
}

TEST(Counters, differences_are_explained_or_flagged) {
    CounterComparison comparison = a_comparison();
    add_counts(comparison, {counts()}, false);
    EXPECT_EQ(row(comparison, "global_load_sectors")->counted, 128);
    EXPECT_TRUE(row(comparison, "global_load_sectors")->remark.empty());
    EXPECT_TRUE(row(comparison, "shared_load_wavefronts")->remark.empty()) << "within 2 %";
    EXPECT_FALSE(row(comparison, "warp_instructions")->flagged);
    EXPECT_FALSE(row(comparison, "warp_instructions")->remark.empty());
    EXPECT_TRUE(row(comparison, "global_store_sectors")->flagged);
    EXPECT_EQ(row(comparison, "global_store_sectors")->remark, "not explained");
    EXPECT_FALSE(row(comparison, "l2_hit_percent")->counted.has_value());
    EXPECT_EQ(row(comparison, "l1_hit_percent"), nullptr) << "this GPU did not count it";
    EXPECT_EQ(row(comparison, "achieved_occupancy_percent"), nullptr) << "no share exceeds 100 %";
}

TEST(Counters, prints_and_atomics_explain_more_accesses) {
    CounterComparison printing = a_comparison();
    add_counts(printing, {counts()}, true);
    EXPECT_EQ(row(printing, "global_store_sectors")->remark, "the GPU also counts the driver's printf");
    CounterComparison atomic = a_comparison();
    analysis::Metrics metrics = counts();
    metrics.atomics = 1;
    add_counts(atomic, {metrics}, false);
    EXPECT_FALSE(row(atomic, "global_store_sectors")->flagged);
}

// The GPU's numbers of requests and of wavefronts, beside 100 and 120 counted ones.
CounterRow wavefronts_of(double requests, double wavefronts) {
    CounterComparison comparison =
        measured_counters({{{"smsp__sass_inst_executed_op_shared_ld.sum", requests},
                            {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", wavefronts}}},
                          {"reduce"}, 1);
    analysis::Metrics metrics;
    metrics.shared_load_requests = 100;
    metrics.shared_load_wavefronts = 120;
    add_counts(comparison, {metrics}, false);
    return *row(comparison, "shared_load_wavefronts");
}

TEST(Counters, another_number_of_loads_explains_their_wavefronts_and_nothing_else_does) {
    EXPECT_EQ(wavefronts_of(50, 60).remark,
              "the assembler joins loads of neighbouring addresses into one wide load");
    EXPECT_EQ(wavefronts_of(150, 180).remark,
              "the assembler unrolls the loop: lanes with different numbers of rounds load apart");
    EXPECT_TRUE(wavefronts_of(100, 60).flagged);
    EXPECT_TRUE(wavefronts_of(50, 180).flagged);
    CounterComparison stores =
        measured_counters({{{"smsp__sass_inst_executed_op_shared_st.sum", 50}}}, {"reduce"}, 1);
    analysis::Metrics metrics;
    metrics.shared_store_requests = 100;
    add_counts(stores, {metrics}, false);
    EXPECT_TRUE(row(stores, "shared_store_requests")->flagged) << "the assembler keeps stores";
}

TEST(Counters, nothing_that_ships_is_unexplained) {
    const Result<TimingReport> report = shipped_counters();
    ASSERT_TRUE(report) << to_text(report.diagnostics());
    EXPECT_GT(report->timings.size(), 90u);
    for (const TimingRecord& record : report->timings) {
        ASSERT_TRUE(record.counters) << record.file;
        for (const LaunchCounters& launch : record.counters->launches)
            for (const CounterRow& each : launch.rows)
                EXPECT_FALSE(each.flagged) << record.file << " " << launch.kernel << " " << each.name;
    }
}

TEST(Counters, other_number_of_launches_is_told) {
    CounterComparison comparison = a_comparison();
    add_counts(comparison, {counts(), counts()}, false);
    EXPECT_EQ(comparison.counted_error, "the CPU machine had 2 launches, the GPU 1");
}

TEST(Counters, json_is_read_back) {
    CounterComparison comparison = a_comparison();
    add_counts(comparison, {counts()}, false);
    const std::string text = to_json(comparison).dump();
    const auto back = counter_comparison_of(nlohmann::json::parse(text), "here");
    ASSERT_TRUE(back) << to_text(back.diagnostics());
    EXPECT_EQ(to_json(*back).dump(), text);
    EXPECT_FALSE(counter_comparison_of(nlohmann::json::parse(R"({"passes":1})"), "here"));
    EXPECT_FALSE(counter_comparison_of(nlohmann::json::parse(R"({"passes":1,"launches":[{}]})"), "here"));
}

TEST(Counters, table_shows_both_and_marks_what_is_not_explained) {
    CounterComparison comparison = a_comparison();
    add_counts(comparison, {counts()}, false);
    const std::string table = table_of(comparison);
    EXPECT_NE(table.find("launch 1, reduce"), table.npos) << table;
    EXPECT_NE(table.find("64             70  ! not explained"), table.npos) << table;
    EXPECT_NE(table.find("62.5"), table.npos) << table;
}

}  // namespace counters_test
}  // namespace lanescope::session
