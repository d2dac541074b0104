// Times of the open file after each run: what is timed and when. The GPU is a function here.
#include "session/timing/file_times.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "session/session.h"

namespace lanescope::session {
namespace file_times_test {

const std::string adds = R"(/*--- lanescope
[params]
n = { default = 32, min = 1, max = 64 }
[buffers]
a = { type = "int", count = "n", init = "iota" }
[[launch]]
kernel = "add"
grid = ["1"]
block = ["n"]
args = ["a"]
---*/
__global__ void add(int* a) { a[threadIdx.x] += 1; }
)";

std::string changed(const std::string& from, const std::string& to) {
    std::string text = adds;
    return text.replace(text.find(from), from.size(), to);
}

class FileTimesTest : public testing::Test {
  protected:
    FileTimesTest() {
        EXPECT_TRUE(write_file(file_, adds));
        session_.apply(TimeRuns{true});
        session_.apply(FindGpu{});
        session_.apply(OpenFile{file_});
        session_.wait();
        session_.update(now_s_);  // the GPU is found
    }

    GpuTimer gpu() {
        return {[] { return Result<std::string>("GPU X"); },
                [this](const TimeRequest& request, const std::atomic<bool>* cancel) {
                    return time(request, cancel);
                }};
    }
    Result<TimingReport> time(const TimeRequest& request, const std::atomic<bool>* cancel) {
        {
            const std::scoped_lock lock(mutex_);
            asked_.push_back(request);
        }
        while (endless_ && !*cancel)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (*cancel) {
            ++cancelled_;
            return error("cancelled");
        }
        TimingReport report;
        report.device.name = "GPU X";
        report.timings.emplace_back();
        report.timings.back().timing.median_ms = double(request.text->size());
        return report;
    }
    // Waits for runs, for half a second of the session's clock, and for the time.
    void settle() {
        session_.wait();
        session_.update(now_s_ += 0.1);
        session_.update(now_s_ += FileTimes::settled_s);
        for (int i = 0; i < 2000 && session_.file_times().busy() && !endless_; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            session_.update(now_s_);
        }
    }
    std::vector<TimeRequest> asked() {
        const std::scoped_lock lock(mutex_);
        return asked_;
    }
    double measured_ms() const {
        const MeasuredTime time = measured_time_of(session_);
        return time.record ? time.record->timing.median_ms : 0;
    }

    TemporaryFolder folder_ = std::move(*TemporaryFolder::create());
    std::filesystem::path file_ = folder_.path() / "add.cu";
    std::mutex mutex_;
    std::vector<TimeRequest> asked_;
    std::atomic<bool> endless_ = false;
    std::atomic<int> cancelled_ = 0;
    double now_s_ = 0;
    Session session_{"no such folder", {.gpu = gpu()}};
};

TEST_F(FileTimesTest, the_text_that_is_open_is_timed_with_its_parameters) {
    settle();
    ASSERT_EQ(asked().size(), 1u);
    const std::string edited = changed("+= 1", "+= 10");
    session_.apply(EditSource{edited});
    session_.apply(SetParameter{"n", 7});
    settle();
    ASSERT_EQ(asked().size(), 2u) << "the run between was not shown for long enough";
    EXPECT_EQ(asked()[1].text, edited);
    EXPECT_EQ(asked()[1].files, std::vector<std::string>{file_.string()});
    EXPECT_EQ(asked()[1].parameters, (lesson::ParameterValues{{"n", 7}}));
    EXPECT_EQ(measured_ms(), double(edited.size()));
    EXPECT_EQ(session_.timings().measured(), nullptr) << "the tab Timings shows the topic's times";
}

TEST_F(FileTimesTest, nothing_is_timed_before_the_run_has_settled_or_twice) {
    session_.wait();
    session_.update(now_s_ += 0.1);
    session_.update(now_s_ += 0.3);
    EXPECT_TRUE(asked().empty());
    EXPECT_TRUE(session_.file_times().busy());
    settle();
    session_.apply(RunAgain{});
    settle();
    EXPECT_EQ(asked().size(), 1u);
}

TEST_F(FileTimesTest, a_run_that_might_fault_or_not_end_is_not_timed) {
    settle();
    for (const char* line :
         {"a[threadIdx.x + 1000000] += 1;", "__shared__ int s[64]; a[s[threadIdx.x] & 1] += 1;",
          "if (threadIdx.x > 3) __syncthreads(); else asm(\"trap;\");"}) {
        session_.apply(EditSource{changed("a[threadIdx.x] += 1;", line)});
        settle();
        EXPECT_EQ(asked().size(), 1u) << line;
        EXPECT_EQ(measured_ms(), 0) << line;
        EXPECT_NE(session_.file_times().problem(), "") << line;
    }
    session_.apply(EditSource{changed("a[threadIdx.x] += 1;", "a[0] = threadIdx.x;")});
    settle();
    EXPECT_EQ(asked().size(), 2u) << "a race does not stop the GPU";
}

TEST_F(FileTimesTest, a_newer_run_ends_the_process_that_times) {
    endless_ = true;
    settle();
    EXPECT_TRUE(session_.file_times().busy());
    session_.apply(SetParameter{"n", 9});
    session_.wait();
    endless_ = false;
    settle();
    ASSERT_EQ(asked().size(), 2u);
    EXPECT_EQ(cancelled_, 1);
    EXPECT_EQ(measured_ms(), double(adds.size()));
    EXPECT_EQ(asked()[1].parameters.at("n"), 9);
}

TEST_F(FileTimesTest, switched_off_nothing_is_timed) {
    session_.apply(TimeRuns{false});
    settle();
    EXPECT_TRUE(asked().empty());
    EXPECT_FALSE(session_.file_times().busy());
    session_.apply(TimeRuns{true});
    settle();
    EXPECT_EQ(asked().size(), 1u);
    EXPECT_NE(measured_ms(), 0);
}

TEST_F(FileTimesTest, nothing_is_timed_without_a_gpu) {
    Session other("no such folder",
                  {.gpu = {[]() -> Result<std::string> { return error("no GPU"); }, gpu().time}});
    other.apply(TimeRuns{true});
    other.apply(FindGpu{});
    other.apply(OpenFile{file_});
    other.wait();
    other.update(1);
    other.update(2);
    EXPECT_TRUE(asked().empty());
    EXPECT_FALSE(other.file_times().busy());
    EXPECT_EQ(other.file_times().problem(), "");
}

class FileClockTest : public testing::Test {
  protected:
    FileClockTest() {
        EXPECT_TRUE(write_file(file_, adds));
        session_.apply(WantClock{});
        session_.apply(OpenFile{file_});
        EXPECT_TRUE(session_.wait());
    }
    double microseconds() const {
        const auto reading = session_.clock().reading();
        return reading ? reading->estimate.microseconds : 0;
    }

    TemporaryFolder folder_ = std::move(*TemporaryFolder::create());
    std::filesystem::path file_ = folder_.path() / "add.cu";
    Session session_{"no such folder"};
};

TEST_F(FileClockTest, follows_edits_and_parameters) {
    ASSERT_GT(microseconds(), 3);
    const auto before = session_.clock().reading();
    EXPECT_EQ(before->parameters.at("n"), 32);
    session_.apply(SetParameter{"n", 64});
    ASSERT_TRUE(session_.wait());
    EXPECT_EQ(session_.clock().reading()->parameters.at("n"), 64);
    const std::string loop =
        changed("a[threadIdx.x] += 1;", "for (int i = 0; i < 4000; ++i) a[threadIdx.x] *= i;");
    session_.apply(EditSource{loop, adds});
    ASSERT_TRUE(session_.wait());
    EXPECT_GT(microseconds(), before->estimate.microseconds);
    session_.apply(EditSource{changed("+= 1;", "+= ;"), loop});
    EXPECT_FALSE(session_.wait());
    EXPECT_GT(microseconds(), 0) << "the last good run has its estimate";
}

TEST_F(FileClockTest, supposes_and_sweeps) {
    const double as_it_is = microseconds();
    session_.apply(SupposeClock{{.latency = 2}});
    session_.wait();
    ASSERT_NE(session_.clock().otherwise(), nullptr);
    EXPECT_GT(session_.clock().otherwise()->estimate.microseconds, as_it_is);
    EXPECT_EQ(microseconds(), as_it_is);
    session_.apply(SupposeClock{{.clock_ghz = 1}});
    session_.wait();
    EXPECT_GT(session_.clock().otherwise()->estimate.microseconds, as_it_is);
    session_.apply(SupposeClock{});
    EXPECT_EQ(session_.clock().otherwise(), nullptr);

    session_.apply(SweepClock{"n"});
    session_.wait();
    const FileClock::Sweep& swept = session_.clock().swept();
    ASSERT_GE(swept.points.size(), 6u);
    for (const FileClock::SweepPoint& point : swept.points)
        EXPECT_GT(point.microseconds, 3) << point.value << ": " << point.refused;
    session_.apply(SetParameter{"n", 8});
    session_.wait();
    EXPECT_TRUE(session_.clock().swept().points.empty()) << "it was of another run";
}

}  // namespace file_times_test
}  // namespace lanescope::session
