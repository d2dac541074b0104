// Which counters of a GPU belong to a text and its parameters.
#include "session/timing/file_counters.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"

namespace lanescope::session {
namespace file_counters_test {

constexpr const char* text = "__global__ void k(int* a) { a[0] = 1; }\n";

TimingRecord record(std::int64_t n, bool counted, const std::string& of = text) {
    TimingRecord made;
    made.file = "/somewhere/k.cu";
    made.parameters = {{"n", n}};
    made.text_hash = content_hash(of);
    CounterRow sectors{"global_store_sectors", {}, 4, "", false};
    if (counted) sectors.counted = 4;
    made.counters = CounterComparison{7, "", {{"k", {sectors}}}};
    return made;
}

std::shared_ptr<const Timings> timings(std::vector<TimingRecord> records, bool recorded) {
    auto made = std::make_shared<Timings>();
    made->recorded = recorded;
    made->report.device.name = recorded ? "Recorded GPU" : "Own GPU";
    made->report.device.driver = "CUDA 13.0, driver 1.2";
    made->report.date = "2026-11-24T10:00:00Z";
    made->report.timings = std::move(records);
    return made;
}

TEST(FileCounters, the_parameters_count_more_than_the_source) {
    const auto own = timings({record(1024, false)}, false);
    const auto recording = timings({record(64, true)}, true);
    const FileCounters same = counters_of_text({own, recording}, text, "/somewhere/k.cu", {{"n", 64}});
    ASSERT_NE(same.record, nullptr);
    EXPECT_TRUE(same.same_parameters);
    EXPECT_TRUE(same.timings->recorded);
    const FileCounters large = counters_of_text({own, recording}, text, "/somewhere/k.cu", {{"n", 1024}});
    EXPECT_FALSE(large.timings->recorded);
    const FileCounters other = counters_of_text({own, recording}, text, "/somewhere/k.cu", {{"n", 32}});
    ASSERT_NE(other.record, nullptr);
    EXPECT_FALSE(other.same_parameters);
    EXPECT_EQ(other.record->parameters.at("n"), 64) << "the one that has counts beside it";
}

TEST(FileCounters, this_machines_come_first) {
    const auto own = timings({record(64, true)}, false), recording = timings({record(64, true)}, true);
    EXPECT_FALSE(counters_of_text({own, recording}, text, "k.cu", {{"n", 64}}).timings->recorded);
    EXPECT_TRUE(counters_of_text({nullptr, recording}, text, "k.cu", {{"n", 64}}).timings->recorded);
}

TEST(FileCounters, absent_ones_have_a_reason) {
    const auto recording = timings({record(64, true, "another text")}, true);
    EXPECT_EQ(counters_of_text({recording}, text, "/somewhere/k.cu", {}).absent,
              "this text differs from the one that was measured");
    EXPECT_EQ(counters_of_text({recording}, text, "/elsewhere/k.cu", {}).absent,
              "none are recorded for this file");
    TimingRecord failed = record(64, true);
    failed.counters.reset();
    failed.counters_error = "CUPTI is missing";
    EXPECT_EQ(counters_of_text({timings({failed}, false)}, text, "/somewhere/k.cu", {}).absent,
              "none were measured for this file: CUPTI is missing");
}

TEST(FileCounters, json_says_where_they_come_from) {
    const auto recording = timings({record(64, true)}, true);
    const auto json = to_json(counters_of_text({recording}, text, "k.cu", {{"n", 64}}));
    EXPECT_EQ(json["recorded"], true);
    EXPECT_EQ(json["device"], "Recorded GPU");
    EXPECT_EQ(json["driver"], "CUDA 13.0, driver 1.2");
    EXPECT_EQ(json["date"], "2026-11-24T10:00:00Z");
    EXPECT_EQ(json["parameters"]["n"], 64);
    EXPECT_EQ(json["launches"][0]["metrics"][0]["measured"], 4);
    EXPECT_EQ(to_json(counters_of_text({}, text, "k.cu", {}))["missing"], "none are recorded for this file");
}

// A lesson that changes loses its counters until a GPU counts it again.
TEST(FileCounters, shipped_ones_are_of_the_present_texts) {
    const auto shipped = shipped_recording(std::string(LANESCOPE_SOURCE_DIR) + "/assets", "counters");
    ASSERT_TRUE(shipped) << to_text(shipped.diagnostics());
    ASSERT_TRUE(*shipped);
    for (const TimingRecord& each : (*shipped)->report.timings) {
        const auto now = read_text_file(std::string(LANESCOPE_SOURCE_DIR) + "/" + each.file);
        ASSERT_TRUE(now) << each.file;
        EXPECT_EQ(each.text_hash, content_hash(*now)) << each.file << " changed after it was measured";
    }
}

}  // namespace file_counters_test
}  // namespace lanescope::session
