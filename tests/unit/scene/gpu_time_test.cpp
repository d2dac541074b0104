// Time on a GPU beside the lines: only of the text that was sampled, with its origin and the reasons in
// words.
#include "scene/words/gpu_time.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "scene/inspector/timing_bars.h"

namespace lanescope::scene {
namespace gpu_time_test {

constexpr const char* kernel = "__global__ void k(int* a) {\n    a[threadIdx.x] = 1;\n}\n";

session::TimingRecord sampled_record(const std::string& file) {
    session::TimingRecord record;
    record.file = file;
    record.parameters = {{"n", 1048576}};
    record.text_hash = content_hash(kernel);
    session::LineTimes lines;
    lines.samples = 2000;
    lines.lines = {{2, "", 0.6, {{"global_memory", 0.45}, {"barrier", 0.149}, {"issues", 0.001}}},
                   {1, "", 0.3, {{"arithmetic", 0.3}}},
                   {7, "other.h", 0.1, {{"issues", 0.1}}}};
    lines.kernels = {{"a", 0.25}, {"b", 0.75}};
    record.lines = lines;
    return record;
}

class GpuTimeTest : public testing::Test {
  protected:
    GpuTimeTest() {
        std::filesystem::create_directories(folder_);
        EXPECT_TRUE(write_file(file_, kernel));
        session_.apply(session::OpenFile{file_});
        session_.wait();
    }
    ~GpuTimeTest() override { std::filesystem::remove_all(folder_); }
    void set(session::TimingRecord record, bool recorded) {
        auto timings = std::make_shared<session::Timings>();
        timings->recorded = recorded;
        timings->report.device.name = "GPU X";
        timings->report.device.driver = "CUDA 13.0, driver 1.2";
        timings->report.date = "2026-11-24T10:00:00Z";
        timings->report.timings.push_back(std::move(record));
        session_.set_timings(timings);
    }

    std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) / ("lanescope_gpu_time_" + std::to_string(getpid()));
    std::filesystem::path file_ = folder_ / "k.cu";
    session::Session session_{"no such folder", session::Options{0}};
};

TEST_F(GpuTimeTest, a_line_has_its_share_its_origin_and_its_reasons) {
    set(sampled_record(file_.string()), true);
    const GpuTime time = gpu_time(session_);
    ASSERT_NE(time.record, nullptr) << time.absent;
    EXPECT_EQ(gpu_words(time), "GPU X, driver 1.2, 2026-11-24");
    EXPECT_DOUBLE_EQ(time_share(time, 2), 0.6);
    EXPECT_DOUBLE_EQ(time_bar(time, 2), 1);
    EXPECT_DOUBLE_EQ(time_bar(time, 1), 0.5);
    EXPECT_EQ(time_share(time, 7), 0) << "a line of another file";
    const std::vector<StallWords> stalls = stalls_on_line(time, 2);
    ASSERT_EQ(stalls.size(), 2u) << "what takes less than half a percent is left out";
    EXPECT_EQ(stalls[0].words, "waits for global or local memory");
    EXPECT_DOUBLE_EQ(stalls[0].share, 0.75);
    EXPECT_EQ(percent_words(stalls[0].share), "75 %");
    const std::string text = line_time_text(time, 2);
    EXPECT_NE(text.find("60 % of the time on GPU X"), text.npos) << text;
    EXPECT_NE(text.find("n = 1 048 576"), text.npos) << text;
    EXPECT_EQ(line_time_text(time, 3), "");
    EXPECT_NE(gpu_time_text(time).find("10 % belong to no line of this file"), std::string::npos)
        << gpu_time_text(time);
}

TEST_F(GpuTimeTest, an_edited_text_has_no_times) {
    set(sampled_record(file_.string()), true);
    GpuTimeOfFile file;
    EXPECT_NE(file.of(session_).record, nullptr);
    session_.apply(session::EditSource{std::string("// changed\n") + kernel, kernel});
    EXPECT_EQ(file.of(session_).record, nullptr);
    EXPECT_EQ(file.of(session_).absent, "this text differs from the one that was measured");
    session_.apply(session::RevertSource{});
    EXPECT_NE(file.of(session_).record, nullptr);
}

TEST_F(GpuTimeTest, an_edited_text_has_an_estimate_that_is_marked_as_one) {
    set(sampled_record(file_.string()), true);
    session_.apply(session::WantClock{});
    session_.apply(session::EditSource{std::string("// changed\n") + kernel, kernel});
    session_.wait();
    const GpuTime time = gpu_time(session_);
    EXPECT_TRUE(time.estimated()) << time.absent;
    EXPECT_EQ(gpu_words(time), "an NVIDIA H200, estimated");
    EXPECT_GT(time_share(time, 3), 0);
    EXPECT_TRUE(line_time_text(time, 3).starts_with("≈ ")) << line_time_text(time, 3);
    EXPECT_NE(gpu_time_text(time).find("not measured"), std::string::npos);
    session_.apply(session::RevertSource{});
    session_.wait();
    const GpuTime both = gpu_time(session_);
    EXPECT_FALSE(both.estimated()) << "samples come before an estimate";
    EXPECT_NE(line_time_text(both, 2).find("\nestimated"), std::string::npos) << line_time_text(both, 2);
}

TEST_F(GpuTimeTest, absent_times_have_a_reason) {
    set(sampled_record("/elsewhere/k.cu"), true);
    EXPECT_EQ(gpu_time(session_).absent, "none is recorded for this file; B measures on a GPU");
    session::TimingRecord unsampled = sampled_record(file_.string());
    unsampled.lines.reset();
    unsampled.lines_error = "CUPTI is missing";
    set(unsampled, true);
    EXPECT_EQ(gpu_time(session_).absent, "its lines were not sampled: CUPTI is missing");
}

TEST_F(GpuTimeTest, this_machines_times_come_before_the_recording) {
    set(sampled_record(file_.string()), true);
    session::TimingRecord own = sampled_record(file_.string());
    set(own, false);
    EXPECT_EQ(gpu_words(gpu_time(session_)), "this machine's GPU X, driver 1.2");
    own.text_hash = "of another text";
    set(own, false);
    EXPECT_EQ(gpu_words(gpu_time(session_)), "GPU X, driver 1.2, 2026-11-24");
}

TEST(GpuTimeWords, percents_and_kernels) {
    EXPECT_EQ(percent_words(0.0004), "<0.1 %");
    EXPECT_EQ(percent_words(0.0123), "1.2 %");
    EXPECT_EQ(percent_words(0.554), "55 %");
    EXPECT_EQ(kernel_shares(sampled_record("k.cu")), "b 75 %, a 25 %");
    session::TimingRecord one = sampled_record("k.cu");
    one.lines->kernels = {{"k", 1}};
    EXPECT_EQ(kernel_shares(one), "");
}

TEST(GpuTimeWords, the_bar_of_a_file_names_its_kernels) {
    lesson::Topic topic;
    topic.name = "t";
    lesson::LessonEntry entry;
    entry.path = "kernels/t/k.cu";
    topic.lessons.push_back(entry);
    session::TimingRecord record = sampled_record("kernels/t/k.cu");
    record.bytes = 1000, record.timing.median_ms = 1;
    EXPECT_EQ(timing_bars({1, {&record}}, topic, nullptr, {}).at(0).note, "time by kernel: b 75 %, a 25 %");
}

}  // namespace gpu_time_test
}  // namespace lanescope::scene
