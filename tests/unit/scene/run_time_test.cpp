// The time of the run in words: what was measured comes before what was recorded, and that before estimates.
#include "scene/words/run_time.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/files.h"

namespace lanescope::scene {
namespace run_time_test {

namespace fs = std::filesystem;

const fs::path kernels = fs::path(LANESCOPE_SOURCE_DIR) / "kernels", file = kernels / "reduction/modulo.cu";

session::TimingRecord record(double ms) {
    session::TimingRecord made;
    made.file = "kernels/reduction/modulo.cu";
    made.timing.median_ms = ms, made.timing.lower_quartile_ms = 0.98 * ms,
    made.timing.upper_quartile_ms = 1.04 * ms;
    made.timing.runs = 25;
    made.peer = session::PeerRecord{"cub_reduce", "CUB 1.2.3", made.timing, 0, ""};
    return made;
}

session::GpuTimer gpu(bool there) {
    return {[there]() -> Result<std::string> {
                return there ? Result<std::string>("GPU X") : Result<std::string>(error("no GPU"));
            },
            [](const session::TimeRequest&, const std::atomic<bool>*) {
                session::TimingReport report;
                report.device.name = "GPU X";
                report.device.driver = "CUDA 13.0";
                report.timings = {record(0.0051)};
                return Result<session::TimingReport>(report);
            }};
}

class RunTimeTest : public testing::Test {
  protected:
    void open(session::Session& session) {
        session.apply(session::OpenFile{file});
        ASSERT_TRUE(session.wait());
    }
    void set_recording(session::Session& session, const std::string& text) {
        auto timings = std::make_shared<session::Timings>();
        timings->recorded = true;
        timings->report.device.name = "GPU Y";
        timings->report.timings = {record(0.012)};
        timings->report.timings[0].parameters = session.parameters();
        timings->report.timings[0].text_hash = content_hash(text);
        session.set_timings(timings);
    }
};

TEST_F(RunTimeTest, times_have_two_digits_and_a_unit) {
    EXPECT_EQ(short_time(5.14), "5.1 µs");
    EXPECT_EQ(short_time(9.97), "10 µs");
    EXPECT_EQ(short_time(512.4), "512 µs");
    EXPECT_EQ(short_time(999.9), "1.0 ms");
}

TEST_F(RunTimeTest, an_estimate_says_that_it_is_one) {
    session::Session session(kernels, {.gpu = gpu(false)});
    open(session);
    set_recording(session, "another text");
    EXPECT_EQ(run_time(session).kind, TimeKind::none);
    EXPECT_EQ(run_time(session).text, "");
    session.apply(session::WantClock{});
    EXPECT_EQ(run_time(session).text, "…");
    EXPECT_TRUE(run_time(session).pending);
    session.wait();
    const RunTime time = run_time(session);
    EXPECT_EQ(time.kind, TimeKind::estimated);
    EXPECT_TRUE(time.text.starts_with("≈ ") && time.text.ends_with(" µs on an H200")) << time.text;
    EXPECT_EQ(time.hint, "Estimated, not measured: from the CPU machine's trace");
    EXPECT_FALSE(time.pending);
}

TEST_F(RunTimeTest, a_recording_counts_only_for_this_text_and_these_parameters) {
    session::Session session(kernels, {.gpu = gpu(false)});
    open(session);
    set_recording(session, session.document().text());
    EXPECT_EQ(run_time(session).kind, TimeKind::recorded);
    EXPECT_EQ(run_time(session).text, "GPU Y · 12 µs recorded");
    session.apply(session::SetParameter{"n", 256});
    session.wait();
    EXPECT_EQ(run_time(session).kind, TimeKind::none);
}

TEST_F(RunTimeTest, a_measured_time_has_its_spread_and_the_library_beside_it) {
    session::Session session(kernels, {.gpu = gpu(true)});
    session.apply(session::TimeRuns{true});
    session.apply(session::FindGpu{});
    open(session);
    set_recording(session, session.document().text());
    session.update(1);
    session.update(2);
    EXPECT_TRUE(run_time(session).pending);
    EXPECT_EQ(run_time(session).kind, TimeKind::recorded) << "until it is measured";
    for (int i = 0; i < 2000 && session.file_times().busy(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        session.update(2);
    }
    RunTime time = run_time(session);
    EXPECT_EQ(time.kind, TimeKind::measured);
    EXPECT_EQ(time.text, "GPU X · 5.1 µs");
    EXPECT_EQ(time.hint,
              "median of 25 runs, half of them between 5.0 µs and 5.3 µs; CUB 1.2.3 takes 5.1 µs\n"
              "measured on this machine's GPU X, CUDA 13.0");
    session.apply(session::SetParameter{"n", 256});
    session.wait();
    session.update(3);
    time = run_time(session);
    EXPECT_EQ(time.text, "GPU X · 5.1 µs") << "of the run before, while this one is timed";
    EXPECT_TRUE(time.pending);
}

}  // namespace run_time_test
}  // namespace lanescope::scene
