// Traces that are shown before they are played and counted.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/files.h"
#include "execution/run/opened_trace.h"
#include "session/report/report.h"
#include "session/session.h"
#include "synthetic.h"
#include "trace/io.h"

namespace lanescope::session {
namespace counting_test {

namespace fs = std::filesystem;

const fs::path kernels = fs::path(LANESCOPE_SOURCE_DIR) / "kernels";

class Counting : public testing::Test {
  protected:
    Counting() : session_(kernels, Options{0}) {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = fs::path(testing::TempDir()) / (std::string("lanescope_") + test->name() + ".trace");
    }
    ~Counting() override {
        if (path_ != many_turns()) fs::remove(path_);
    }
    static void TearDownTestSuite() { fs::remove(many_turns()); }

    void save_lesson(const char* lesson) {
        session_.apply(OpenFile{kernels / lesson});
        ASSERT_TRUE(session_.wait()) << to_text(session_.diagnostics());
        ASSERT_TRUE(trace::save(*session_.trace(), path_));
    }
    // Returns the path of a trace that takes some tenths of a second to play; it is made once.
    static fs::path many_turns() {
        return fs::path(testing::TempDir()) / ("lanescope_many_turns_" + std::to_string(getpid()) + ".trace");
    }
    void save_many_turns() {
        path_ = many_turns();
        if (fs::exists(path_)) return;
        trace::SyntheticRun run(trace::Pattern::streaming);
        run.turns(1'000'000);
        ASSERT_TRUE(trace::save(*run.finish(), path_));
    }
    // Opens the trace and waits until its first step is shown or the trace is refused.
    void open() {
        session_.apply(OpenFile{path_});
        while (session_.runner().opening() ||
               (session_.document().path() != path_ && session_.diagnostics().empty() &&
                session_.file_problem() == nullptr)) {
            session_.update(0);
            if (session_.document().path() == path_) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    std::size_t last() const { return session_.playhead().steps().size() - 1; }

    Session session_;
    fs::path path_;
};

TEST_F(Counting, is_shown_first_and_gives_the_same_results_afterwards) {
    save_lesson("reduction/modulo.cu");
    open();
    ASSERT_NE(session_.playhead().step_state(), nullptr);
    EXPECT_FALSE(session_.run()->report_ready);
    EXPECT_TRUE(session_.run()->report.lines.empty());
    ASSERT_TRUE(session_.wait());
    EXPECT_TRUE(session_.run()->report_ready);
    EXPECT_FALSE(session_.runner().counting());
    const Result<execution::RunResult> whole = execution::open_trace(path_.string());
    ASSERT_TRUE(whole);
    EXPECT_EQ(nlohmann::json::parse(report_json(*session_.run())),
              nlohmann::json::parse(report_json(*whole)));
}

TEST_F(Counting, position_goes_to_far_steps_once_they_were_played) {
    save_many_turns();
    open();
    ASSERT_NE(session_.playhead().step_state(), nullptr);
    session_.apply(SeekStep{last()});
    EXPECT_TRUE(session_.playhead().awaiting());
    EXPECT_EQ(session_.playhead().step_state()->index, 0u);
    session_.apply(StepBy{1});  // a near step: drops the awaited one
    EXPECT_FALSE(session_.playhead().awaiting());
    EXPECT_EQ(session_.playhead().step_state()->index, 1u);
    session_.apply(SeekStep{last()});
    ASSERT_TRUE(session_.wait());
    EXPECT_EQ(session_.playhead().step_state()->index, last());
    const auto whole = trace::open(path_);
    ASSERT_TRUE(whole);
    trace::Replay replay(*whole);
    replay.seek(session_.playhead().step_state()->step.end);
    EXPECT_EQ(session_.playhead().replay()->state_hash(), replay.state_hash());
}

TEST_F(Counting, cancel_leaves_what_is_shown_and_a_later_seek_goes_on) {
    save_many_turns();
    open();
    ASSERT_TRUE(session_.runner().counting());
    session_.apply(SeekStep{last()});
    session_.apply(CancelRun{});
    EXPECT_FALSE(session_.runner().counting());
    EXPECT_FALSE(session_.playhead().awaiting());
    ASSERT_TRUE(session_.wait());
    EXPECT_FALSE(session_.run()->report_ready);
    EXPECT_EQ(session_.playhead().step_state()->index, 0u);
    session_.apply(SeekStep{last()});
    EXPECT_TRUE(session_.runner().counting());
    ASSERT_TRUE(session_.wait());
    EXPECT_TRUE(session_.run()->report_ready);
    EXPECT_EQ(session_.playhead().step_state()->index, last());
}

TEST_F(Counting, blocks_and_granularities_that_are_far_are_awaited) {
    save_many_turns();
    open();
    session_.apply(SetGranularity{trace::Granularity::launch});  // one step spans the whole trace
    EXPECT_TRUE(session_.playhead().awaiting());
    EXPECT_EQ(session_.playhead().granularity(), trace::Granularity::line);
    ASSERT_NE(session_.playhead().step_state(), nullptr);
    ASSERT_TRUE(session_.wait());
    EXPECT_EQ(session_.playhead().granularity(), trace::Granularity::launch);
    EXPECT_EQ(session_.playhead().steps().size(), 1u);
    EXPECT_EQ(session_.playhead().step_state()->step.end, session_.playhead().steps().front().end);
}

TEST_F(Counting, a_first_step_as_long_as_the_trace_is_counted_before_it_is_shown) {
    save_many_turns();
    session_.apply(SetGranularity{trace::Granularity::launch});
    open();
    ASSERT_NE(session_.playhead().step_state(), nullptr);
    EXPECT_TRUE(session_.run()->report_ready);
    EXPECT_FALSE(session_.runner().counting());
}

TEST_F(Counting, another_file_ends_it) {
    save_many_turns();
    open();
    ASSERT_TRUE(session_.runner().counting());
    session_.apply(OpenFile{kernels / "reduction/modulo.cu"});
    EXPECT_FALSE(session_.runner().counting());
    ASSERT_TRUE(session_.wait());
    EXPECT_TRUE(session_.run()->report_ready);
    EXPECT_FALSE(session_.run()->report.lines.empty());
}

TEST_F(Counting, bad_file_is_refused_where_it_is) {
    save_lesson("reduction/modulo.cu");
    std::string bytes = *read_file(path_);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    ASSERT_TRUE(write_file(path_, bytes));
    session_.apply(OpenFile{path_});
    EXPECT_FALSE(session_.wait());
    ASSERT_NE(session_.file_problem(), nullptr);
    EXPECT_EQ(session_.file_problem()->why.file, path_.string());
    EXPECT_NE(session_.file_problem()->why.message.find("damaged"), std::string::npos);
    EXPECT_EQ(session_.document().path(), kernels / "reduction/modulo.cu");
}

}  // namespace counting_test
}  // namespace lanescope::session
