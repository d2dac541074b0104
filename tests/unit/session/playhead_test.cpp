// The position in a run, and playback.
#include "session/playhead/playhead.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "session/playhead/playback.h"

namespace lanescope::session {
namespace playhead_test {

const std::filesystem::path kernels = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels";

class PlayheadOfALesson : public testing::Test {
  protected:
    static PreparedTrace prepared(const char* lesson, std::uint32_t block = 0) {
        execution::RunRequest request;
        request.file = (kernels / lesson).string();
        request.source = *read_file(request.file);
        Result<execution::RunResult> run = execution::execute(request);
        EXPECT_TRUE(run) << to_text(run.diagnostics());
        return {std::move(*run), block, trace::Granularity::line};
    }
    void SetUp() override { playhead_.show(prepared("reduction/modulo.cu"), nullptr); }
    std::size_t step() const { return playhead_.step_state()->index; }
    std::size_t last() const { return playhead_.steps().size() - 1; }

    Playhead playhead_;
};

TEST_F(PlayheadOfALesson, stays_within_the_run) {
    EXPECT_EQ(step(), 0u);
    playhead_.step_by(-3);
    EXPECT_EQ(step(), 0u);
    playhead_.step_by(2);
    EXPECT_EQ(step(), 2u);
    playhead_.seek(1'000'000);
    EXPECT_EQ(step(), last());
}

TEST_F(PlayheadOfALesson, the_replay_stands_behind_the_step) {
    playhead_.seek(5);
    EXPECT_EQ(playhead_.replay()->position(), playhead_.steps()[5].end);
    EXPECT_EQ(playhead_.step_state()->step.first, playhead_.steps()[5].first);
}

TEST_F(PlayheadOfALesson, phases_begin_behind_barriers) {
    playhead_.phase_by(1);
    const std::size_t second = step();
    ASSERT_GT(second, 0u);
    EXPECT_EQ(playhead_.steps()[second].phase, playhead_.steps()[0].phase + 1);
    playhead_.step_by(1);
    playhead_.phase_by(-1);
    EXPECT_EQ(step(), second) << "back to the first step of this phase";
    playhead_.phase_by(-1);
    EXPECT_EQ(step(), 0u);
}

TEST_F(PlayheadOfALesson, hidden_results_keep_the_replay_before_the_step) {
    playhead_.hide_results(true);
    while (!playhead_.results().concealed && step() < last())  // steps without results have nothing to hide
        playhead_.step_by(1);
    ASSERT_LT(step(), last());
    const trace::Step writes = playhead_.steps()[step()];
    EXPECT_EQ(playhead_.replay()->position(), writes.first);
    EXPECT_EQ(playhead_.results().revealed_until, writes.first);
    playhead_.reveal();
    EXPECT_FALSE(playhead_.results().concealed);
    EXPECT_EQ(playhead_.replay()->position(), writes.end);
}

TEST_F(PlayheadOfALesson, the_state_before_a_step_is_shown_until_it_is_turned_off) {
    playhead_.seek(12);
    const trace::Step writes = playhead_.steps()[12];
    playhead_.show_before(true);
    EXPECT_TRUE(playhead_.stands_before());
    EXPECT_EQ(playhead_.replay()->position(), writes.first);
    EXPECT_FALSE(playhead_.step_state()->details.empty()) << "what the step does stays known";
    playhead_.step_by(1);
    EXPECT_EQ(step(), 13u);
    EXPECT_EQ(playhead_.replay()->position(), playhead_.steps()[13].first);
    playhead_.show_before(false);
    EXPECT_EQ(playhead_.replay()->position(), playhead_.steps()[13].end);
}

TEST_F(PlayheadOfALesson, before_and_hidden_results_exclude_each_other) {
    playhead_.show_before(true);
    playhead_.hide_results(true);
    EXPECT_FALSE(playhead_.shows_before());
    playhead_.show_before(true);
    EXPECT_FALSE(playhead_.results().hidden_at_first);
    EXPECT_FALSE(playhead_.results().concealed);
}

TEST_F(PlayheadOfALesson, a_glance_before_the_step_returns) {
    playhead_.seek(12);
    std::uint64_t seen = 0;
    playhead_.while_before([&] { seen = playhead_.replay()->position(); });
    EXPECT_EQ(seen, playhead_.steps()[12].first);
    EXPECT_EQ(playhead_.replay()->position(), playhead_.steps()[12].end);
}

TEST_F(PlayheadOfALesson, lanes_that_only_evaluate_a_condition_do_not_act) {
    playhead_.seek(11);  // if (t % stride == 0), stride 2
    ASSERT_EQ(playhead_.step_state()->acted.size(), 2u);
    EXPECT_EQ(playhead_.step_state()->acted[0], 0x55555555u);
    playhead_.set_granularity(trace::Granularity::phase);
    EXPECT_EQ(playhead_.step_state()->acted[0], 0xffffffffu) << "a phase has more than one line";
}

TEST_F(PlayheadOfALesson, instructions_are_steps_of_a_turn) {
    playhead_.seek(4);
    const std::uint64_t turn = playhead_.step_state()->step.first;
    playhead_.step_instructions(true);
    ASSERT_GT(playhead_.step_state()->pcs.size(), 1u);
    EXPECT_EQ(playhead_.step_state()->instruction, 0u);
    playhead_.step_by(1);
    EXPECT_EQ(playhead_.step_state()->instruction, 1u);
    EXPECT_EQ(playhead_.step_state()->step.first, turn);
}

TEST_F(PlayheadOfALesson, the_same_run_again_is_shown_from_the_same_step) {
    playhead_.seek(7);
    const std::string text = playhead_.run()->source;
    const LineMap same(text, text);
    playhead_.show(prepared("reduction/modulo.cu"), &same);
    EXPECT_EQ(step(), 7u);
    playhead_.show(prepared("reduction/modulo.cu"), nullptr);
    EXPECT_EQ(step(), 0u);
}

TEST_F(PlayheadOfALesson, nothing_is_shown_after_clear) {
    EXPECT_NE(playhead_.clear(), nullptr);
    EXPECT_EQ(playhead_.step_state(), nullptr);
    EXPECT_TRUE(playhead_.steps().empty());
    playhead_.step_by(1);
    playhead_.seek(3);
    EXPECT_EQ(playhead_.step_state(), nullptr);
}

TEST_F(PlayheadOfALesson, moves_are_counted) {
    const std::uint64_t before = playhead_.moves();
    playhead_.step_by(1);
    EXPECT_NE(playhead_.moves(), before);
}

TEST_F(PlayheadOfALesson, playback_steps_when_it_is_time) {
    Playback playback(playhead_);
    playback.set_speed(2);
    playback.play(true);
    EXPECT_FALSE(playback.update(10.0)) << "the first step comes after half a second";
    EXPECT_FALSE(playback.update(10.4));
    EXPECT_TRUE(playback.update(10.5));
    EXPECT_EQ(step(), 1u);
    EXPECT_TRUE(playback.update(60)) << "one step follows a stall";
    EXPECT_FALSE(playback.update(60.1)) << "playback does not catch up on missed steps";
    EXPECT_EQ(step(), 2u);
}

TEST_F(PlayheadOfALesson, playback_stops_at_the_end_and_starts_again_from_there) {
    Playback playback(playhead_);
    playhead_.seek(last() - 1);
    playback.play(true);
    playback.update(1);
    EXPECT_TRUE(playback.update(2));
    EXPECT_EQ(step(), last());
    EXPECT_FALSE(playback.playing());
    playback.play(true);
    EXPECT_EQ(step(), 0u);
    EXPECT_TRUE(playback.playing());
}

TEST(Playhead, without_a_run_nothing_plays) {
    Playhead playhead;
    Playback playback(playhead);
    playback.play(true);
    EXPECT_FALSE(playback.playing());
    EXPECT_FALSE(playback.update(1));
}

}  // namespace playhead_test
}  // namespace lanescope::session
