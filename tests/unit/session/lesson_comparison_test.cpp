// The comparison of a lesson with the lesson before it.
#include "session/timing/lesson_comparison.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"

namespace lanescope::session {
namespace lesson_comparison_test {

namespace fs = std::filesystem;

const lesson::Registry& course() {
    static const lesson::Registry registry =
        lesson::load_registry(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    return registry;
}

const lesson::Topic& topic(const std::string& name) {
    for (const lesson::Topic& each : course().topics)
        if (each.name == name) return each;
    throw std::runtime_error("no topic " + name);
}

const lesson::LessonEntry& lesson_of(const lesson::Topic& topic, const std::string& name) {
    for (const lesson::LessonEntry& each : topic.lessons)
        if (each.name == name) return each;
    throw std::runtime_error("no lesson " + name);
}

class Contrast : public testing::Test {
  protected:
    void SetUp() override {
        CountedLesson& tiled = counts_["transpose/tiled"];
        tiled.own = {0.99, 10, 40, 10, 50, 20, 330};
        tiled.before = "transpose/naive";
        tiled.baseline = {0.9876, 10, 40, 10, 320, 0, 0};
        timings_.report.device.name = "GPU X";
        add("naive", 1024, 3.9), add("tiled", 1024, 2.0), add("naive", 16, 0.004);
    }
    void add(const std::string& name, std::int64_t side, double ms) {
        TimingRecord record;
        record.file = "kernels/transpose/" + name + ".cu";
        record.parameters = {{"rows", side}, {"cols", side}};
        record.timing.median_ms = ms;
        record.bytes = 8 * side * side;
        record.copy_gb_per_s = 8.388608;
        timings_.report.timings.push_back(record);
    }
    std::string text(const std::string& name, const Timings* timings = nullptr) {
        const lesson::Topic& transpose = topic("transpose");
        return lesson_comparison_text(transpose, lesson_of(transpose, name), counts_, timings);
    }

    CourseCounts counts_;
    Timings timings_;
};

TEST_F(Contrast, names_what_differs) {
    EXPECT_EQ(text("tiled"), "**Measured**, beside [" + lesson_of(topic("transpose"), "naive").title +
                                 "](transpose/naive): 99 % SIMT efficiency, 4.0 sectors per load from global "
                                 "memory, 5.0 sectors per "
                                 "store instead of 32.0, 16.5 wavefronts per access to shared memory.");
}

TEST_F(Contrast, compares_times_at_the_largest_size_of_both) {
    const std::string found = text("tiled", &timings_);
    EXPECT_NE(
        found.find(". On GPU X with 2^20 elements 2.00 ms instead of 3.90 ms: 1.9 times as fast; 50 % of a "
                   "copy's bandwidth."),
        std::string::npos)
        << found;
}

TEST_F(Contrast, does_not_compare_times_of_different_work) {
    timings_.report.timings[0].bytes *= 2;
    const std::string found = text("tiled", &timings_);
    EXPECT_NE(found.find("2.00 ms; \"" + lesson_of(topic("transpose"), "naive").title +
                         "\" moves 16 777 216 bytes there and this lesson 8 388 608, so their times are not "
                         "compared"),
              std::string::npos)
        << found;
    EXPECT_EQ(found.find("as fast"), std::string::npos) << found;
}

TEST_F(Contrast, stands_alone_where_nothing_is_known_of_the_other) {
    timings_.report.timings.erase(timings_.report.timings.begin());
    const std::string found = text("tiled", &timings_);
    EXPECT_NE(found.find("On GPU X with 2^20 elements 2.00 ms; 50 %"), std::string::npos) << found;
    EXPECT_EQ(text("copy"), "") << "nothing was measured";
}

TEST_F(Contrast, says_no_size_where_nothing_is_read) {
    const lesson::Topic& first = topic("first_steps");
    counts_["first_steps/hello"].own = {0.094, 0, 0, 0, 0, 0, 0};
    TimingRecord record;
    record.file = "kernels/first_steps/hello.cu";
    record.timing.median_ms = 0.0523;
    timings_.report.timings.push_back(record);
    const std::string found = lesson_comparison_text(first, lesson_of(first, "hello"), counts_, &timings_);
    EXPECT_NE(found.find("On GPU X 52.3 µs."), std::string::npos) << found;
}

TEST(Times, of_the_course_are_explained) {
    const fs::path file = fs::path(LANESCOPE_SOURCE_DIR) / "assets/timings/nvidia-h200.json";
    const Result<TimingReport> report = timing_report_of(*read_text_file(file), file.string());
    ASSERT_TRUE(report);
    ASSERT_GT(report->timings.size(), 200u);
    for (const TimingRecord& record : report->timings) {
        const fs::path timed = record.file;
        const lesson::Topic& of = topic(timed.parent_path().filename().string());
        EXPECT_NE(lesson_of(of, timed.stem().string()).timing, "") << record.file;
    }
}

TEST(Counts, of_the_course_are_complete) {
    const auto counts = read_counts(fs::path(LANESCOPE_SOURCE_DIR) / "assets/counts.json");
    ASSERT_TRUE(counts) << to_text(counts.diagnostics());
    const auto recording = shipped_recording(fs::path(LANESCOPE_SOURCE_DIR) / "assets");
    ASSERT_TRUE(recording);
    for (const lesson::Topic& each : course().topics)
        for (const lesson::LessonEntry& entry : each.lessons) {
            const auto found = counts->find(each.name + "/" + entry.name);
            ASSERT_NE(found, counts->end()) << entry.path;
            EXPECT_EQ(found->second.before, entry.after.empty() ? "" : each.name + "/" + entry.after);
            const std::string text = lesson_comparison_text(each, entry, *counts, recording->get());
            EXPECT_NE(text.find("SIMT efficiency"), std::string::npos) << entry.path;
            EXPECT_NE(text.find("On NVIDIA H200"), std::string::npos) << entry.path << ": " << text;
            EXPECT_EQ(text.find(", beside [") == std::string::npos, entry.after.empty()) << entry.path;
        }
}

TEST(Counts, bad_files) {
    const fs::path file = fs::path(testing::TempDir()) / "lanescope_bad_counts.json";
    const auto problem = [&](const char* text) {
        std::ofstream(file) << text;
        const auto counts = read_counts(file);
        return counts ? std::string() : to_text(counts.diagnostics());
    };
    EXPECT_NE(problem("{").find("must be an object with 'lessons'"), std::string::npos);
    EXPECT_NE(problem(R"({"lessons": {"a/b": 3}})").find("the counts of 'a/b' are not complete"),
              std::string::npos);
    EXPECT_NE(problem(R"({"lessons": {"a/b": {"metrics": {"simt_efficiency": 1}}}})").find("not complete"),
              std::string::npos);
    fs::remove(file);
    EXPECT_FALSE(read_counts(file));
}

}  // namespace lesson_comparison_test
}  // namespace lanescope::session
