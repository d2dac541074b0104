#include "session/session.h"
#include "session/lane_explanation.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/files.h"
#include "session/runner/device_source.h"

namespace lanescope::session {
namespace session_test {

namespace fs = std::filesystem;

class Sessions : public testing::Test {
  protected:
    Sessions() : session_(fs::path(LANESCOPE_SOURCE_DIR) / "kernels") {}
    void open(const char* name) {
        session_.apply(OpenFile{fs::path(LANESCOPE_SOURCE_DIR) / "kernels" / name});
        ASSERT_TRUE(session_.wait()) << to_text(session_.diagnostics());
        ASSERT_TRUE(session_.playhead().step_state());
    }
    Session session_;
};

TEST_F(Sessions, opens_a_lesson_at_its_first_step) {
    open("reduction/modulo.cu");
    EXPECT_EQ(session_.playhead().step_state()->index, 0u);
    ASSERT_TRUE(session_.lesson());
    EXPECT_EQ(session_.lesson()->name, "modulo");
    EXPECT_EQ(session_.topic()->name, "reduction");
    EXPECT_GT(session_.playhead().steps().size(), 20u);
    EXPECT_EQ(session_.playhead().lanes_on().size(), session_.playhead().steps().size());
}

TEST_F(Sessions, steps_forward_and_back_and_stops_at_the_ends) {
    open("reduction/modulo.cu");
    session_.apply(StepBy{-1});
    EXPECT_EQ(session_.playhead().step_state()->index, 0u);
    session_.apply(StepBy{5});
    const std::uint64_t hash = session_.playhead().replay()->state_hash();
    session_.apply(StepBy{1});
    session_.apply(StepBy{-1});
    EXPECT_EQ(session_.playhead().step_state()->index, 5u);
    EXPECT_EQ(session_.playhead().replay()->state_hash(), hash);
    session_.apply(SeekStep{1u << 30});
    EXPECT_EQ(session_.playhead().step_state()->index, session_.playhead().steps().size() - 1);
}

TEST_F(Sessions, the_start_is_before_the_first_step) {
    open("reduction/modulo.cu");
    const std::uint64_t after_first = session_.playhead().replay()->state_hash();
    session_.apply(StepBy{5});
    session_.apply(SeekStart{});
    EXPECT_TRUE(session_.playhead().at_start());
    EXPECT_TRUE(session_.playhead().step_state()->details.empty());
    EXPECT_EQ(session_.playhead().replay()->position(), 0u);
    session_.apply(StepBy{1});
    EXPECT_FALSE(session_.playhead().at_start());
    EXPECT_EQ(session_.playhead().step_state()->index, 0u);
    EXPECT_EQ(session_.playhead().replay()->state_hash(), after_first);
}

TEST_F(Sessions, phases_move_from_barrier_to_barrier) {
    open("reduction/modulo.cu");
    session_.apply(PhaseBy{1});
    EXPECT_EQ(session_.playhead().step_state()->step.phase, 1u);
    EXPECT_EQ(session_.playhead().steps()[session_.playhead().step_state()->index - 1].phase, 0u);
    session_.apply(StepBy{2});
    session_.apply(PhaseBy{-1});
    EXPECT_EQ(session_.playhead().step_state()->step.phase, 1u)
        << "the first press goes to the start of this phase";
    session_.apply(PhaseBy{-1});
    EXPECT_EQ(session_.playhead().step_state()->index, 0u);
}

TEST_F(Sessions, a_changed_parameter_runs_again) {
    open("reduction/modulo.cu");
    const std::uint64_t generation = session_.runner().generation();
    session_.apply(SetParameter{"n", 33});
    ASSERT_TRUE(session_.wait()) << to_text(session_.diagnostics());
    EXPECT_GT(session_.runner().generation(), generation);
    EXPECT_EQ(session_.parameters().at("n"), 33);
    EXPECT_TRUE(session_.run()->fine());
}

TEST_F(Sessions, bad_parameter_keeps_the_last_good_run) {
    open("reduction/modulo.cu");
    session_.apply(SetParameter{"n", -5});
    EXPECT_FALSE(session_.wait());
    EXPECT_FALSE(session_.diagnostics().empty());
    ASSERT_TRUE(session_.run());
    EXPECT_TRUE(session_.playhead().step_state());
    session_.apply(SetParameter{"n", 64});
    EXPECT_TRUE(session_.wait());
}

TEST_F(Sessions, bad_edited_source_keeps_the_last_good_run_and_the_errors_line) {
    open("reduction/modulo.cu");
    session_.apply(EditSource{session_.document().text() + "\n__device__ int oops(;\n"});
    EXPECT_FALSE(session_.wait());
    ASSERT_FALSE(session_.diagnostics().empty());
    EXPECT_GT(session_.diagnostics()[0].line, 10);
    EXPECT_TRUE(session_.document().edited());
    EXPECT_TRUE(session_.run()->fine());
    session_.apply(RevertSource{});
    EXPECT_TRUE(session_.wait());
    EXPECT_FALSE(session_.document().edited());
}

TEST_F(Sessions, shows_a_variable_in_every_lane_and_an_array_by_a_lanes_index) {
    open("reduction/modulo.cu");
    session_.apply(SeekStep{session_.playhead().steps().size() / 2});
    const std::string label = session_.selection().label_variable;
    const std::size_t bracket = label.find('[');
    ASSERT_NE(bracket, std::string::npos) << label;
    const std::string index = label.substr(bracket + 1, label.size() - bracket - 2);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const LaneValue thread = session_.values().value(index, 1, lane);
        ASSERT_TRUE(thread.visible && thread.set) << lane;
        EXPECT_EQ(thread.text, std::to_string(32 + lane));
        EXPECT_TRUE(session_.values().value(label, 1, lane).set);
    }
    EXPECT_FALSE(session_.values().value("no_such_variable", 0, 0).visible);
    EXPECT_FALSE(session_.values().value(index, 99, 0).visible);
    EXPECT_FALSE(session_.values().variables(session_.selection().warp, session_.selection().lane).empty());
}

TEST_F(Sessions, explains_why_lanes_wait) {
    open("reduction/modulo.cu");
    session_.apply(SetSchedule{*simt::parse_schedule("warp")});  // so that one warp waits for the other
    ASSERT_TRUE(session_.wait());
    bool split = false, barrier = false;
    for (std::size_t step = 0; step < session_.playhead().steps().size(); ++step) {
        session_.apply(SeekStep{step});
        for (std::uint32_t warp = 0; warp < session_.playhead().step_state()->warps.size(); ++warp) {
            const std::string text = session::warp_words(session_, warp);
            split |= text.find("split this warp") != std::string::npos;
            barrier |= text.find("at the barrier on line") != std::string::npos;
        }
    }
    EXPECT_TRUE(split);
    EXPECT_TRUE(barrier);
}

// Asks for the GPU on a machine without one.
class NoGpu : public DeviceSource {
  public:
    std::string name() const override { return {}; }
    Result<gpu::TraceDevice*> begin_run() override { return error("no GPU"); }
    void end_run(const execution::RunResult*) override {}
};

TEST_F(Sessions, an_engine_that_is_not_there_leaves_nothing_to_take_back) {
    NoGpu source;
    session_.set_device_source(&source);
    open("reduction/modulo.cu");
    session_.apply(UseGpu{true});
    EXPECT_FALSE(session_.runner().on_device());
    EXPECT_EQ(session_.document().undo_label(), "");
    session_.apply(SetParameter{"n", 64});
    session_.apply(Undo{});
    EXPECT_TRUE(session_.wait());
    EXPECT_FALSE(session_.runner().on_device());
    session_.set_device_source(nullptr);
}

TEST_F(Sessions, plays_with_the_clock_and_stops_at_the_end) {
    open("first_steps/vector_add.cu");
    session_.apply(SetSpeed{10});
    session_.apply(Play{true});
    double now = 1;
    for (int i = 0; i < 10'000 && session_.playback().playing(); ++i)
        session_.update(now += 0.05);
    EXPECT_FALSE(session_.playback().playing());
    EXPECT_EQ(session_.playhead().step_state()->index, session_.playhead().steps().size() - 1);
}

TEST_F(Sessions, granularity_and_focus_block_keep_the_place) {
    open("first_steps/vector_add.cu");
    session_.apply(SeekStep{2});
    const std::uint32_t line = session_.playhead().step_state()->step.line;
    session_.apply(SetGranularity{trace::Granularity::turn});
    EXPECT_EQ(session_.playhead().step_state()->step.line, line);
    session_.apply(FocusBlock{1});
    EXPECT_EQ(session_.playhead().step_state()->step.block, 1u);
    session_.apply(FocusBlock{1000});
    EXPECT_EQ(session_.playhead().block(), 1u) << "there are two blocks";
    session_.apply(SetGranularity{trace::Granularity::launch});
    EXPECT_EQ(session_.playhead().steps().size(), 1u);
}

TEST_F(Sessions, a_file_changed_on_disk_reloads) {
    const fs::path copy = fs::path(testing::TempDir()) / "reload.cu";
    const std::string text =
        *read_text_file(fs::path(LANESCOPE_SOURCE_DIR) / "kernels/first_steps/vector_add.cu");
    ASSERT_TRUE(write_file(copy, text));
    session_.apply(OpenFile{copy});
    ASSERT_TRUE(session_.wait());
    ASSERT_TRUE(write_file(copy, text + "\n// changed\n"));
    fs::last_write_time(copy, fs::file_time_type::clock::now() + std::chrono::seconds(2));
    session_.update(100);
    session_.wait();
    EXPECT_NE(session_.document().text().find("// changed"), std::string::npos);
}

TEST_F(Sessions, bad_file_that_does_not_compile_shows_no_other_files_run) {
    open("reduction/modulo.cu");
    const std::uint64_t generation = session_.runner().generation();
    const fs::path broken = fs::path(testing::TempDir()) / "broken.cu";
    ASSERT_TRUE(write_file(broken, "__global__ void f(int* a) {\n    a[0] = ;\n}\n"));
    session_.apply(OpenFile{broken});
    EXPECT_FALSE(session_.wait());
    EXPECT_EQ(session_.diagnostics()[0].line, 2);
    EXPECT_EQ(session_.run(), nullptr);
    EXPECT_EQ(session_.playhead().step_state(), nullptr);
    EXPECT_TRUE(session_.playhead().steps().empty());
    EXPECT_GT(session_.runner().generation(), generation);
}

TEST_F(Sessions, bad_file_that_does_not_exist) {
    session_.apply(OpenFile{"/no/such/file.cu"});
    EXPECT_FALSE(session_.wait());
    EXPECT_EQ(session_.diagnostics()[0].message, "no such file");
}

}  // namespace session_test
}  // namespace lanescope::session
