// Kernels below the ceilings of a GPU, and the recording of these ceilings.
#include "session/timing/roofline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace lanescope::session {
namespace roofline_test {

TimingRecord timed(const std::string& file, std::int64_t operations, std::int64_t bytes, double ms) {
    TimingRecord made;
    made.file = file;
    made.operations = operations;
    made.bytes = bytes;
    made.timing.median_ms = ms;
    return made;
}

Timings on_gpu(const std::string& name, double copy_gb_per_s) {
    Timings timings;
    timings.report.device.name = name;
    timings.report.device.copy_gb_per_s = copy_gb_per_s;
    return timings;
}

RooflineFacts facts_of(const std::string& gpu) {
    RooflineFacts facts;
    facts.device.name = gpu;
    facts.date = "2026-03-01T12:00:00Z";
    facts.peaks = {{"float_add", 30'000}, {"float_multiply_add", 60'000}};
    facts.lessons = {{"light.cu", {"", "float_multiply_add", 2}},
                     {"heavy.cu", {"", "float_multiply_add", 0}}};
    return facts;
}

TEST(Roofline, the_lower_ceiling_limits_a_kernel) {
    const Timings timings = on_gpu("Test GPU", 4000);
    // 1 and 100 operations a byte: 4000 and 400 000 GOP/s would be the memory's ceilings.
    const TimingRecord light = timed("light.cu", 8'000'000, 8'000'000, 0.004),
                       heavy = timed("heavy.cu", 800'000'000, 8'000'000, 0.02);
    const Roofline made = roofline_of(timings, {&light, &heavy}, facts_of("Test GPU"));
    ASSERT_EQ(made.kernels.size(), 2u);
    EXPECT_EQ(made.kernels[0].limit, "copy");
    EXPECT_DOUBLE_EQ(made.kernels[0].intensity, 1);
    EXPECT_DOUBLE_EQ(made.kernels[0].ceiling, 4000);
    EXPECT_DOUBLE_EQ(made.kernels[0].share(), 0.5);  // 2000 GOP/s
    EXPECT_DOUBLE_EQ(made.kernels[0].requested_bytes.value_or(0), 16'000'000);
    EXPECT_EQ(made.kernels[1].limit, "float_multiply_add");
    EXPECT_FALSE(made.kernels[1].requested_bytes);
    EXPECT_DOUBLE_EQ(made.kernels[1].ceiling, 60'000);
    EXPECT_NEAR(made.kernels[1].share(), 40.0 / 60, 1e-9);
    ASSERT_EQ(made.peaks.size(), 1u) << "only the peaks of operations that these kernels do";
    EXPECT_EQ(made.peaks_origin, "assets/roofline/peaks.cu on Test GPU, 2026-03-01");
}

LaunchCounters moved(double read, double written) {
    return {"k", {{"dram_read_bytes", {}, read, "", false}, {"dram_write_bytes", {}, written, "", false}}};
}

TEST(Roofline, bytes_of_the_memory_are_those_of_all_launches) {
    TimingRecord light = timed("light.cu", 8'000'000, 8'000'000, 0.004);
    light.counters = CounterComparison{7, "", {moved(5'000'000, 1'000'000), moved(9'000'000, 1'000'000)}};
    Roofline made = roofline_of(on_gpu("Test GPU", 4000), {&light}, facts_of("Test GPU"));
    EXPECT_DOUBLE_EQ(made.kernels[0].dram_bytes.value_or(0), 16'000'000);
    EXPECT_DOUBLE_EQ(made.kernels[0].intensity, 1) << "of the bytes that must be moved";
    const auto json = to_json(made)["kernels"][0];
    EXPECT_DOUBLE_EQ(json["dram_bytes"], 16'000'000);
    EXPECT_DOUBLE_EQ(json["operations_per_dram_byte"], 0.5);
    const std::string table = table_of(made);
    EXPECT_NE(table.find("op/byte  requested  DRAM"), table.npos) << table;
    EXPECT_NE(table.find("DRAM: operations for each byte that the GPU read"), table.npos) << table;

    light.counters->launches[1].rows.pop_back();
    made = roofline_of(on_gpu("Test GPU", 4000), {&light}, facts_of("Test GPU"));
    EXPECT_FALSE(made.kernels[0].dram_bytes) << "a launch lacks a counter";
    EXPECT_FALSE(to_json(made)["kernels"][0].contains("dram_bytes"));
}

TEST(Roofline, missing_bytes_of_the_memory_have_a_reason) {
    TimingRecord light = timed("light.cu", 8'000'000, 8'000'000, 0.004);
    light.counters_error = "the driver does not permit it";
    const Roofline made = roofline_of(on_gpu("Test GPU", 4000), {&light}, facts_of("Test GPU"));
    EXPECT_EQ(to_json(made)["dram_error"], "the driver does not permit it");
    EXPECT_NE(table_of(made).find("no bytes of the DRAM: the driver does not permit it"), std::string::npos);
}

TEST(Roofline, what_is_not_known_limits_nothing) {
    const TimingRecord other = timed("other.cu", 800'000'000, 8'000'000, 0.02),
                       heavy = timed("heavy.cu", 800'000'000, 8'000'000, 0.02);
    const Roofline kind = roofline_of(on_gpu("Test GPU", 4000), {&other}, facts_of("Test GPU"));
    EXPECT_EQ(kind.kernels[0].limit, "copy");
    const Roofline gpu = roofline_of(on_gpu("Another", 4000), {&heavy}, facts_of("Test GPU"));
    EXPECT_EQ(gpu.kernels[0].limit, "copy");
    EXPECT_TRUE(gpu.peaks.empty());
    EXPECT_EQ(gpu.peaks_origin, "the peaks of arithmetic were measured on another GPU, Test GPU");
    RooflineFacts recorded = facts_of("Test GPU");
    recorded.recorded = true;
    const Roofline mixed = roofline_of(on_gpu("Test GPU", 4000), {&heavy}, recorded);
    EXPECT_EQ(mixed.kernels[0].limit, "copy") << "a recorded peak beside a time that was measured";
    EXPECT_NE(mixed.peaks_origin.find("recorded"), std::string::npos);
    EXPECT_EQ(roofline_of(on_gpu("Test GPU", 0), {&other}, {}).kernels[0].limit, "");
}

TEST(Roofline, files_without_operations_bytes_or_time_are_named) {
    const TimingRecord copies = timed("copy.cu", 0, 8, 1), unknown = timed("unknown.cu", 8, 0, 1);
    TimingRecord failed = timed("failed.cu", 8, 8, 1);
    failed.error = "it never ended";
    const Roofline made =
        roofline_of(on_gpu("Test GPU", 4000), {&copies, &unknown, &failed}, facts_of("Test GPU"));
    ASSERT_EQ(made.left_out.size(), 3u);
    EXPECT_EQ(made.left_out[0].why, "it counts no operations on data");
    EXPECT_EQ(made.left_out[1].why, "the bytes that it must move are not known");
    EXPECT_EQ(made.left_out[2].why, "no time: it never ended");
    EXPECT_NE(table_of(made).find("failed.cu: no time: it never ended"), std::string::npos);
}

TEST(Roofline, the_json_has_what_the_table_has) {
    const TimingRecord light = timed("light.cu", 8'000'000, 8'000'000, 0.004);
    const nlohmann::json made =
        to_json(roofline_of(on_gpu("Test GPU", 4000), {&light}, facts_of("Test GPU")));
    EXPECT_EQ(made["ceilings"][1]["name"], "float_multiply_add");
    EXPECT_DOUBLE_EQ(made["kernels"][0]["percent_of_ceiling"], 50);
    EXPECT_EQ(made["kernels"][0]["limit"], "copy");
}

class ShippedRoofline : public testing::Test {
  protected:
    static nlohmann::json document() {
        const auto text =
            read_text_file(std::string(LANESCOPE_SOURCE_DIR) + "/assets/roofline/nvidia-h200.json");
        return text ? nlohmann::json::parse(*text) : nlohmann::json();
    }
    const nlohmann::json document_ = document();
};

TEST_F(ShippedRoofline, has_all_peaks_and_the_kind_of_each_counting_lesson) {
    const auto facts = shipped_roofline(std::string(LANESCOPE_SOURCE_DIR) + "/assets");
    ASSERT_TRUE(facts) << to_text(facts.diagnostics());
    ASSERT_TRUE(*facts);
    std::map<std::string, double> peaks;
    for (const Peak& peak : (*facts)->peaks)
        peaks[peak.operation] = peak.gop_per_s;
    ASSERT_EQ(peaks.size(), 5u);
    // A multiply-add counts as two operations and takes as long as an addition.
    EXPECT_NEAR(peaks["float_multiply_add"] / peaks["float_add"], 2, 0.2);
    EXPECT_GT((*facts)->lessons.size(), 90u);
    EXPECT_EQ((*facts)->lessons.at("kernels/convolution/fastest.cu").operation, "float_multiply_add");
    for (const auto& [file, lesson] : (*facts)->lessons) {
        const auto text = read_text_file(std::string(LANESCOPE_SOURCE_DIR) + "/" + file);
        ASSERT_TRUE(text) << file;
        EXPECT_EQ(lesson.text_hash, content_hash(*text))
            << file << " changed: tests/timings/roofline.py lessons counts it again";
    }
}

// Reading alone is some percent faster than a copy, which also writes.
TEST_F(ShippedRoofline, no_kernel_of_the_course_is_above_its_ceiling) {
    const auto timings = shipped_recording(std::string(LANESCOPE_SOURCE_DIR) + "/assets");
    const auto facts = shipped_roofline(std::string(LANESCOPE_SOURCE_DIR) + "/assets");
    ASSERT_TRUE(timings && facts && *timings && *facts);
    std::vector<const TimingRecord*> records;
    for (const TimingRecord& record : (*timings)->report.timings)
        records.push_back(&record);
    const Roofline made = roofline_of(**timings, records, **facts);
    EXPECT_GT(made.kernels.size(), 150u);
    for (const RooflineKernel& kernel : made.kernels)
        EXPECT_LT(kernel.share(), 1.15) << kernel.record->file << parameters_text(*kernel.record);
}

TEST_F(ShippedRoofline, bad_recordings_are_told_with_their_place) {
    const auto problem = [](const nlohmann::json& of) {
        const auto read = roofline_facts_of(of.dump(), "r.json");
        return read ? std::string() : to_text(read.diagnostics());
    };
    ASSERT_EQ(problem(document_), "");
    EXPECT_NE(to_text(roofline_facts_of("[]", "r.json").diagnostics()).find("r.json is not a JSON object"),
              std::string::npos);
    nlohmann::json damaged = document_;
    damaged.erase("peaks");
    EXPECT_NE(problem(damaged).find("r.json has no 'peaks'"), std::string::npos);
    damaged = document_;
    damaged["peaks"][1]["gop_per_s"] = "fast";
    EXPECT_NE(problem(damaged).find("peaks[1]: 'gop_per_s' has the wrong type"), std::string::npos);
    damaged = document_;
    damaged["lessons"][0].erase("text_hash");
    EXPECT_NE(problem(damaged).find("lessons[0] has no 'text_hash'"), std::string::npos);
}

}  // namespace roofline_test
}  // namespace lanescope::session
