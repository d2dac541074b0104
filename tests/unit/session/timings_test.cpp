// Times of the course as the window groups them, and the shipped recording.
#include "session/timing/timings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "session/session.h"
#include "session/timing/time_files.h"

namespace lanescope::session {
namespace timings_test {

namespace fs = std::filesystem;

const lesson::Topic& topic(const std::string& name) {
    static const lesson::Registry registry =
        lesson::load_registry(std::string(LANESCOPE_SOURCE_DIR) + "/kernels");
    for (const lesson::Topic& each : registry.topics)
        if (each.name == name) return each;
    throw std::runtime_error("no topic " + name);
}

gpu::Timing took(double ms) {
    gpu::Timing timing;
    timing.minimum_ms = 0.9 * ms, timing.lower_quartile_ms = 0.95 * ms, timing.median_ms = ms;
    timing.upper_quartile_ms = 1.1 * ms, timing.maximum_ms = 1.5 * ms;
    timing.runs = 21;
    return timing;
}

TimingRecord record(const std::string& file, lesson::ParameterValues parameters, double ms) {
    TimingRecord made;
    made.file = "kernels/" + file;
    made.parameters = std::move(parameters);
    made.timing = took(ms);
    made.bytes = 1'000'000;
    made.copy_gb_per_s = 4000;
    return made;
}

PeerRecord peer(const std::string& name, double ms) {
    PeerRecord made;
    made.name = name;
    made.library = "CUB 1.2.3";
    made.timing = took(ms);
    made.bytes = 1'000'000;
    return made;
}

TEST(TimeFiles, cancel_ends_the_process_that_times) {
    const std::atomic<bool> cancel = true;
    TimeRequest request;
    request.files = {std::string(LANESCOPE_SOURCE_DIR) + "/kernels/reduction/modulo.cu"};
    const Result<TimingReport> report = time_files(request, {}, &cancel);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.diagnostics().front().message, "cancelled");
}

Timings small_recording() {
    Timings timings;
    timings.recorded = true;
    timings.report.device.name = "Test GPU";
    timings.report.device.driver = "CUDA 13.0, driver 1.2";
    timings.report.date = "2026-03-01T12:00:00Z";
    auto& all = timings.report.timings;
    all.push_back(record("reduction/fastest.cu", {{"n", 1 << 20}}, 0.5));
    all.back().peer = peer("cub_reduce", 0.7);
    all.push_back(record("reduction/modulo.cu", {{"n", 1 << 20}}, 2));
    all.back().peer = peer("cub_reduce", 0.6);
    all.push_back(record("reduction/modulo.cu", {{"n", 1 << 20}, {"block", 512}}, 3));  // the same size again
    all.push_back(record("reduction/modulo.cu", {}, 0.1));                              // n = 128 by default
    all.push_back(record("convolution/fastest.cu", {{"rows", 1024}, {"quads", 256}}, 1));
    all.back().peer = peer("copy", 0.2);
    all.push_back(record("convolution/tiled_2d.cu", {{"rows", 1023}, {"cols", 1023}}, 1));
    return timings;
}

TEST(Timings, stand_together_by_topic_and_size_of_the_input) {
    const Timings timings = small_recording();
    const std::vector<SizeGroup> groups = sizes_of(timings, topic("reduction"));
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].elements, 128u);
    EXPECT_EQ(groups[1].elements, 1u << 20);
    ASSERT_EQ(groups[1].records.size(), 2u);  // each file once, in the order of the course
    EXPECT_EQ(groups[1].records[0]->file, "kernels/reduction/modulo.cu");
    EXPECT_EQ(groups[1].records[0]->timing.median_ms, 2);
    EXPECT_EQ(groups[1].records[1]->file, "kernels/reduction/fastest.cu");
    const std::vector<SizeGroup> images = sizes_of(timings, topic("convolution"));
    ASSERT_EQ(images.size(), 1u);
    EXPECT_EQ(images[0].elements, 1024u * 4 * 256);
    ASSERT_EQ(images[0].records.size(), 2u);  // 1023 × 1023 pixels count as the same size
    EXPECT_TRUE(sizes_of(timings, topic("scan")).empty());
}

TEST(Timings, a_library_stands_once_with_its_fastest_run_and_copies_are_no_library) {
    const Timings timings = small_recording();
    const auto peers = peers_of(sizes_of(timings, topic("reduction")).back());
    ASSERT_EQ(peers.size(), 1u);
    EXPECT_EQ(peers[0]->timing.median_ms, 0.6);
    EXPECT_TRUE(peers_of(sizes_of(timings, topic("convolution")).front()).empty());
}

TEST(Timings, say_where_they_come_from) {
    Timings timings = small_recording();
    EXPECT_EQ(timings.origin(), "recorded on Test GPU, CUDA 13.0, driver 1.2, 2026-03-01");
    timings.recorded = false;
    EXPECT_EQ(timings.origin(), "measured on this machine's Test GPU, CUDA 13.0, driver 1.2");
    timings.report.device = {};
    EXPECT_EQ(timings.origin(), "nothing could be timed on this machine");
}

TEST(Timings, words) {
    EXPECT_EQ(size_words(1 << 28), "2^28");
    EXPECT_EQ(size_words(512), "512");
    EXPECT_EQ(size_words(1'000'000), "1 000 000");
    EXPECT_EQ(time_words(0.00345), "3.45 µs");
    EXPECT_EQ(time_words(0.7654), "765 µs");
    EXPECT_EQ(time_words(12.34), "12.3 ms");
    EXPECT_EQ(time_words(2500), "2.50 s");
    EXPECT_DOUBLE_EQ(gb_per_s(2'000'000, 0.5), 4);
    EXPECT_EQ(gb_per_s(1, 0), 0);
}

class Recording : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) / "lanescope_recording_test";
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "timings");
    }
    void TearDown() override { fs::remove_all(folder_); }
    void put(const std::string& text) const {
        std::ofstream(folder_ / "timings" / "nvidia-h200.json") << text;
    }
    std::string problems() const {
        const auto read = shipped_recording(folder_);
        return read ? "" : to_text(read.diagnostics());
    }
    fs::path folder_;
};

TEST_F(Recording, is_read_as_it_is_written) {
    put(to_json(small_recording().report).dump());
    const auto read = shipped_recording(folder_);
    ASSERT_TRUE(read) << to_text(read.diagnostics());
    ASSERT_TRUE(*read);
    EXPECT_TRUE((*read)->recorded);
    EXPECT_EQ((*read)->report.timings.size(), small_recording().report.timings.size());
    EXPECT_EQ((*read)->report.timings[0].peer->library, "CUB 1.2.3");
}

TEST_F(Recording, may_be_missing) {
    const auto read = shipped_recording(folder_);
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, nullptr);
}

TEST_F(Recording, bad_recordings) {
    put("{ \"date\": ");
    EXPECT_NE(problems().find("nvidia-h200.json: error: the file is not JSON"), std::string::npos)
        << problems();
    nlohmann::json json = nlohmann::json::parse(to_json(small_recording().report).dump());
    json["timings"][1].erase("median_ms");
    put(json.dump());
    EXPECT_NE(problems().find("the timing of kernels/reduction/modulo.cu has no 'median_ms'"),
              std::string::npos)
        << problems();
    json.erase("device");
    put(json.dump());
    EXPECT_NE(problems().find("the document has no 'device'"), std::string::npos) << problems();
}

// The shipped recording fits the course, is complete and has possible values.
TEST(ShippedRecording, holds_together) {
    const auto read = shipped_recording(std::string(LANESCOPE_SOURCE_DIR) + "/assets");
    ASSERT_TRUE(read) << to_text(read.diagnostics());
    ASSERT_TRUE(*read);
    const TimingReport& report = (*read)->report;
    EXPECT_FALSE(report.device.name.empty());
    EXPECT_FALSE(report.device.driver.empty());
    EXPECT_EQ(report.date.size(), 20u);
    EXPECT_GT(report.device.sm_mhz, 0);
    EXPECT_GT(report.device.copy_gb_per_s, 0);
    for (const TimingRecord& each : report.timings) {
        SCOPED_TRACE(each.file);
        EXPECT_FALSE(each.failed()) << each.error << each.mismatch;
        EXPECT_FALSE(each.peer && !each.peer->error.empty()) << each.peer->error;
        if (!each.timed()) continue;
        const gpu::Timing& time = each.timing;
        EXPECT_LE(time.minimum_ms, time.lower_quartile_ms);
        EXPECT_LE(time.lower_quartile_ms, time.median_ms);
        EXPECT_LE(time.median_ms, time.upper_quartile_ms);
        EXPECT_LE(time.upper_quartile_ms, time.maximum_ms);
        EXPECT_GT(time.minimum_ms, 0);
        EXPECT_GE(time.runs, gpu::min_runs);
    }
}

TEST(ShippedRecording, has_every_lesson) {
    const auto read = shipped_recording(std::string(LANESCOPE_SOURCE_DIR) + "/assets");
    ASSERT_TRUE(read && *read);
    const lesson::Registry registry = lesson::load_registry(std::string(LANESCOPE_SOURCE_DIR) + "/kernels");
    for (const lesson::Topic& each : registry.topics) {
        const std::vector<SizeGroup> groups = sizes_of(**read, each);
        for (const lesson::LessonEntry& entry : each.lessons) {
            // The GPU engine refuses a file with textures.
            if (read_file(entry.path)->find("\n[textures]\n") != std::string::npos) continue;
            EXPECT_TRUE(std::any_of(groups.begin(), groups.end(), [&](const SizeGroup& group) {
                return std::any_of(
                    group.records.begin(), group.records.end(), [&](const TimingRecord* record) {
                        return record->file == "kernels/" + each.name + "/" + entry.path.filename().string();
                    });
            })) << entry.path;
        }
    }
}

TEST(FilesToMeasure, the_open_file_has_its_own_parameters_and_counts) {
    const Timings recording = small_recording();
    const std::string modulo = std::string(LANESCOPE_SOURCE_DIR) + "/kernels/reduction/modulo.cu";
    const auto files = files_to_measure(&topic("reduction"), &recording, 1 << 20, {modulo, {{"n", 256}}});
    ASSERT_EQ(files.size(), 3u);
    EXPECT_TRUE(files[0].file.ends_with("modulo.cu"));
    EXPECT_EQ(files[0].parameters.at("n"), 1 << 20);
    EXPECT_TRUE(files[1].file.ends_with("fastest.cu"));
    EXPECT_FALSE(files[1].count) << "the CPU machine takes too long for large inputs";
    EXPECT_EQ(files[2].file, modulo);
    EXPECT_EQ(files[2].parameters.at("n"), 256);
    EXPECT_TRUE(files[2].count);
    // The same parameters are measured once.
    const auto once = files_to_measure(&topic("reduction"), &recording, 1 << 20, {modulo, {{"n", 1 << 20}}});
    ASSERT_EQ(once.size(), 2u);
    EXPECT_TRUE(once[1].count);
    EXPECT_EQ(files_to_measure(nullptr, nullptr, 0, {modulo, {}}).size(), 1u);
    EXPECT_TRUE(files_to_measure(nullptr, nullptr, 0, {}).empty());
}

TEST(TimingCommands, without_a_gpu_nothing_is_measured_and_the_reason_is_told) {
    if (timing_possible()) GTEST_SKIP() << "this machine has a GPU";
    Session session(std::string(LANESCOPE_SOURCE_DIR) + "/kernels");
    EXPECT_EQ(session.timings().gpu(), GpuState::unknown);
    session.apply(MeasureTimings{1024});
    EXPECT_FALSE(session.timings().measuring());
    session.apply(FindGpu{});
    session.wait();
    EXPECT_EQ(session.timings().gpu(), GpuState::missing);
    EXPECT_FALSE(session.timings().no_gpu().empty());
    session.apply(MeasureTimings{1024});
    EXPECT_FALSE(session.timings().measuring());
}

TEST(TimingCommands, what_was_measured_stands_before_the_recording_until_that_is_asked_for) {
    Session session(std::string(LANESCOPE_SOURCE_DIR) + "/kernels");
    auto recording = std::make_shared<Timings>(small_recording());
    auto measured = std::make_shared<Timings>(small_recording());
    measured->recorded = false;
    session.set_timings(recording);
    EXPECT_EQ(session.timings().shown(), recording);
    session.set_timings(measured);
    EXPECT_EQ(session.timings().shown(), measured);
    session.apply(ShowRecording{});
    EXPECT_EQ(session.timings().shown(), recording);
}

}  // namespace timings_test
}  // namespace lanescope::session
