// Runs in jobs, and the last good run.
#include "session/runner/runner.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/files.h"

namespace lanescope::session {
namespace runner_test {

const std::filesystem::path kernels = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels";

class RunnerOfFiles : public testing::Test {
  protected:
    static execution::RunRequest request(const char* lesson) {
        execution::RunRequest request;
        request.file = (kernels / lesson).string();
        request.source = *read_file(request.file);
        return request;
    }
    static execution::RunRequest broken() {
        execution::RunRequest request;
        request.file = "broken.cu";
        request.source = "__global__ void k(int* a) { a[0] = ; }\n";
        return request;
    }

    Jobs jobs_{2};
    Runner runner_{jobs_};
};

TEST_F(RunnerOfFiles, a_run_is_taken_once) {
    runner_.start(request("reduction/modulo.cu"), {});
    EXPECT_TRUE(runner_.busy());
    runner_.wait();
    std::optional<Runner::Finished> finished = runner_.take();
    ASSERT_TRUE(finished) << to_text(runner_.diagnostics());
    EXPECT_FALSE(runner_.busy());
    EXPECT_FALSE(finished->opened);
    EXPECT_FALSE(finished->prepared.steps.empty());
    EXPECT_FALSE(runner_.take());
}

TEST_F(RunnerOfFiles, a_failed_run_keeps_the_last_good_one) {
    runner_.start(request("reduction/modulo.cu"), {});
    runner_.wait();
    runner_.show(runner_.take()->prepared.result, nullptr);
    const std::uint64_t generation = runner_.generation();
    runner_.start(broken(), {});
    runner_.wait();
    EXPECT_FALSE(runner_.take());
    EXPECT_FALSE(runner_.diagnostics().empty());
    ASSERT_TRUE(runner_.run());
    EXPECT_TRUE(runner_.run()->fine());
    EXPECT_EQ(runner_.generation(), generation);
}

TEST_F(RunnerOfFiles, the_newest_request_wins) {
    runner_.start(request("reduction/modulo.cu"), {});
    runner_.start(request("scan/blelloch.cu"), {});
    runner_.wait();
    const std::optional<Runner::Finished> finished = runner_.take();
    ASSERT_TRUE(finished) << to_text(runner_.diagnostics());
    EXPECT_EQ(std::filesystem::path(finished->prepared.result->file).filename(), "blelloch.cu");
}

TEST_F(RunnerOfFiles, a_cancelled_run_does_not_arrive) {
    runner_.start(request("reduction/modulo.cu"), {});
    EXPECT_FALSE(runner_.cancelled());
    runner_.cancel();
    runner_.wait();
    EXPECT_FALSE(runner_.take());
    EXPECT_FALSE(runner_.busy());
    EXPECT_TRUE(runner_.cancelled());
    runner_.start(request("reduction/modulo.cu"), {});
    EXPECT_FALSE(runner_.cancelled());
    runner_.wait();
}

TEST_F(RunnerOfFiles, a_run_tells_whether_it_compiles_or_runs) {
    execution::RunRequest endless = request("reduction/modulo.cu");
    endless.source = "__global__ void k(int* a) { while (true) a[0] += 1; }\n";
    runner_.start(endless, {});
    EXPECT_EQ(runner_.phase(), execution::RunPhase::compiling);
    for (int tries = 0; tries < 1000 && runner_.phase() != execution::RunPhase::running && runner_.busy();
         ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(runner_.phase(), execution::RunPhase::running);
    EXPECT_TRUE(runner_.busy());
    runner_.cancel();
    runner_.wait();
}

TEST_F(RunnerOfFiles, a_missing_trace_is_reported) {
    runner_.open_trace("no such.trace", trace::Granularity::line);
    runner_.wait();
    EXPECT_FALSE(runner_.take());
    EXPECT_TRUE(runner_.diagnostics().empty()) << "no run failed";
    const auto told = runner_.take_not_opened();
    ASSERT_TRUE(told);
    EXPECT_EQ(told->file, "no such.trace");
    EXPECT_NE(to_text(told->why).find("no such.trace"), std::string::npos);
    EXPECT_FALSE(runner_.take_not_opened()) << "it is reported once";
}

TEST_F(RunnerOfFiles, without_a_device_it_says_so) {
    const Result<void> used = runner_.use_device(true);
    EXPECT_FALSE(used);
    EXPECT_FALSE(runner_.on_device());
    EXPECT_TRUE(runner_.use_device(false));
}

TEST_F(RunnerOfFiles, each_run_has_its_generation) {
    runner_.start(request("reduction/modulo.cu"), {});
    runner_.wait();
    runner_.show(runner_.take()->prepared.result, nullptr);
    const std::uint64_t first = runner_.generation();
    runner_.drop(nullptr);
    EXPECT_FALSE(runner_.run());
    EXPECT_NE(runner_.generation(), first);
}

}  // namespace runner_test
}  // namespace lanescope::session
