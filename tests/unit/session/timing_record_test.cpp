#include "session/timing/timing_record.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace lanescope::session {
namespace timing_record_test {

TimingReport a_report() {
    TimingReport report;
    report.date = "2026-03-01T12:00:00Z";
    report.device = {"GPU", "9.0", 132,  60 << 20, "CUDA 13.0", "13.0",  1980,
                     3201,  1980,  3201, "NVML",   4000,        1 << 29, 0.0023};
    TimingRecord record;
    record.file = "kernels/reduction/modulo.cu";
    record.parameters = {{"block", 256}, {"n", 1 << 24}};
    record.launches = 2;
    record.timing = gpu::statistics({0.02, 0.04, 0.03});
    record.bytes = 60'000'000;
    record.operations = 1'000;
    record.copy_gb_per_s = 4000;
    record.checked = TimingRecord::Checked::ok;
    record.peer = PeerRecord{"cub_reduce", "CUB 3.0.1", gpu::statistics({0.015}), 60'000'000, ""};
    record.occupancy.push_back({"reduce", 2, {256, 16, 1024}, {8, 64, 64, "threads"}});
    record.counters =
        CounterComparison{7, "", {{"reduce", {{"global_load_sectors", 128.0, 128, "", false}}}}};
    report.timings.push_back(record);
    record.error = "the kernel failed";
    record.peer.reset();
    report.timings.push_back(record);
    return report;
}

TEST(TimingRecord, rates_are_of_the_median) {
    const TimingRecord record = a_report().timings[0];
    EXPECT_DOUBLE_EQ(record.gb_per_s(), 2000);
    EXPECT_DOUBLE_EQ(record.percent_of_copy(), 50);
    EXPECT_EQ(TimingRecord().gb_per_s(), 0);
    EXPECT_EQ(TimingRecord().percent_of_copy(), 0);
}

TEST(TimingRecord, json_is_read_back) {
    const std::string text = to_json(a_report()).dump();
    const auto back = timing_report_of(text, "r.json");
    ASSERT_TRUE(back) << to_text(back.diagnostics());
    EXPECT_EQ(to_json(*back).dump(), text);
    EXPECT_EQ(back->timings[0].peer->library, "CUB 3.0.1");
    EXPECT_EQ(back->timings[0].parameters.at("n"), 1 << 24);
    EXPECT_EQ(back->timings[0].occupancy.at(0).occupancy.limiter, "threads");
    EXPECT_EQ(back->timings[0].counters->launches.at(0).rows.at(0).counted, 128);
    EXPECT_FALSE(back->timings[1].timed());
}

TEST(TimingRecord, a_recording_keeps_the_times_of_other_files_and_of_one_gpu) {
    TimingReport newer = a_report(), older = a_report();
    newer.timings.resize(1);
    older.timings.resize(1);
    older.timings[0].parameters["n"] = 7;
    older.timings.push_back(a_report().timings[0]);
    ASSERT_TRUE(add_older(newer, older));
    ASSERT_EQ(newer.timings.size(), 2u) << "the newer time of the same work replaces the older one";
    EXPECT_EQ(newer.timings[1].parameters.at("n"), 7);
    older.device.driver = "another";
    EXPECT_FALSE(add_older(newer, older));
}

TEST(TimingRecord, json_names_what_people_compare) {
    const auto json = to_json(a_report());
    const auto& timing = json["timings"][0];
    EXPECT_EQ(json["device"]["clocks"]["sm_mhz"], 1980);
    EXPECT_EQ(json["device"]["empty_launch_ms"], 0.0023);
    EXPECT_DOUBLE_EQ(timing["median_ms"], 0.03);
    EXPECT_EQ(timing["runs"], 3);
    EXPECT_DOUBLE_EQ(timing["gb_per_s"], 2000);
    EXPECT_DOUBLE_EQ(timing["percent_of_copy"], 50);
    EXPECT_EQ(timing["checked"], "ok");
    EXPECT_EQ(timing["occupancy"][0]["limiter"], "threads");
    EXPECT_EQ(timing["occupancy"][0]["blocks_per_sm"], 8);
    EXPECT_EQ(timing["counters"]["launches"][0]["metrics"][0]["measured"], 128);
    EXPECT_DOUBLE_EQ(timing["peer"]["gb_per_s"], 4000);
    EXPECT_FALSE(json["timings"][1].contains("median_ms"));
    EXPECT_EQ(json["timings"][1]["error"], "the kernel failed");
}

TEST(TimingRecord, bad_documents_say_what_is_missing) {
    const auto error = [](const auto& change) {
        auto json = nlohmann::json::parse(to_json(a_report()).dump());
        change(json);
        const auto read = timing_report_of(json.dump(), "r.json");
        return read ? std::string("read") : to_text(read.diagnostics());
    };
    using Json = nlohmann::json;
    EXPECT_EQ(to_text(timing_report_of("{", "r.json").diagnostics()),
              "r.json: error: the file is not JSON\n");
    EXPECT_NE(to_text(timing_report_of("[]", "r.json").diagnostics()).find("no 'date'"), std::string::npos);
    EXPECT_EQ(error([](Json& j) { j.erase("device"); }), "r.json: error: the document has no 'device'\n");
    EXPECT_EQ(error([](Json& j) { j["device"].erase("clocks"); }),
              "r.json: error: the device has no 'clocks'\n");
    EXPECT_EQ(error([](Json& j) { j["timings"] = 3; }),
              "r.json: error: the document has no list 'timings'\n");
    EXPECT_EQ(error([](Json& j) { j["timings"][0]["median_ms"] = "fast"; }),
              "r.json: error: the timing of kernels/reduction/modulo.cu: 'median_ms' must be a number\n");
    EXPECT_EQ(
        error([](Json& j) { j["timings"][0]["checked"] = "maybe"; }),
        "r.json: error: the timing of kernels/reduction/modulo.cu: 'checked' must be none, ok or wrong\n");
    EXPECT_NE(error([](Json& j) { j["timings"][0]["parameters"]["n"] = 1.5; }).find("'parameters'"),
              std::string::npos);
    EXPECT_NE(error([](Json& j) { j["timings"][0]["peer"].erase("library"); }).find("no 'library'"),
              std::string::npos);
}

TEST(TimingRecord, failures_without_a_declared_defect_count) {
    TimingRecord record;
    EXPECT_FALSE(record.failed());
    record.checked = TimingRecord::Checked::wrong;
    EXPECT_TRUE(record.failed());
    record.expected_problems = {"race"};
    EXPECT_FALSE(record.failed());
    record.expected_problems.clear();
    record.checked = TimingRecord::Checked::ok;
    record.error = "out of memory";
    EXPECT_TRUE(record.failed());
}

TEST(TimingRecord, the_table_says_whether_it_is_a_recording) {
    const std::string table = table_of(a_report());
    EXPECT_EQ(table.find("RECORDED"), std::string::npos);
    EXPECT_NE(table.find("30.0 us"), std::string::npos);
    EXPECT_NE(table.find("50.0 %"), std::string::npos);
    EXPECT_NE(table.find("n=2^24"), std::string::npos);
    EXPECT_NE(table.find("15.0 us cub_reduce, CUB 3.0.1"), std::string::npos);
    EXPECT_NE(table.find("no time: the kernel failed"), std::string::npos);
    EXPECT_TRUE(
        table_of(a_report(), true).starts_with("RECORDED times, not from this machine. Taken on:\nGPU "));
    TimingReport nothing;
    nothing.date = "today";
    EXPECT_TRUE(table_of(nothing).starts_with("nothing could be timed, toolkit , today\nfile"));
}

}  // namespace timing_record_test
}  // namespace lanescope::session
