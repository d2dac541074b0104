// The position in a run, and playback.
#include "session/playhead/playhead.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "scene/stage/step_scene.h"
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

TEST_F(PlayheadOfALesson, a_turn_of_another_block_shows_that_block) {
    playhead_.show(prepared("histogram/privatised.cu"), nullptr);
    const trace::Trace& trace = *playhead_.run()->trace;
    ASSERT_EQ(playhead_.block(), 0u);
    std::uint64_t turn = trace.turns.size();
    while (trace.turns[turn - 1].block != 1)
        --turn;
    playhead_.seek_turn(turn - 1);
    EXPECT_EQ(playhead_.block(), 1u);
    EXPECT_EQ(playhead_.step_state()->step.block, 1u);
    EXPECT_LE(playhead_.step_state()->step.first, turn - 1);
    EXPECT_GT(playhead_.step_state()->step.end, turn - 1);
    playhead_.seek_turn(0);
    EXPECT_EQ(playhead_.block(), 0u);
    EXPECT_EQ(step(), 0u);
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

// A launch with an access outside of its array in block 1.
class PlayheadOfAFault : public testing::Test {
  protected:
    void SetUp() override {
        execution::RunRequest request;
        request.file = "fault.cu";
        request.source =
            "/*--- lanescope\n[params]\nn = { default = 40 }\n"
            "[buffers]\na = { type = \"int\", count = \"n\", init = \"iota(1)\" }\n"
            "[[launch]]\nkernel = \"k\"\ngrid = [\"2\"]\nblock = [\"32\"]\nargs = [\"a\", \"n\"]\n---*/\n"
            "__global__ void k(int* a, int n) {\n"
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (i <= n)\n"
            "        a[i] = a[i] + 1;\n"
            "}\n";
        Result<execution::RunResult> run = execution::execute(request);
        ASSERT_TRUE(run) << to_text(run.diagnostics());
        ASSERT_FALSE(run->problems.empty());
        site_ = run->problems.front().first;
        playhead_.show({std::move(*run), 0, trace::Granularity::line}, nullptr);
        playhead_.seek_turn(site_.turn);
    }

    trace::ProblemSite site_;
    Playhead playhead_;
};

TEST_F(PlayheadOfAFault, the_thread_that_fails_acts) {
    ASSERT_NE(playhead_.step_state(), nullptr);
    EXPECT_EQ(playhead_.step_state()->step.block, 1u);
    EXPECT_EQ(playhead_.step_state()->step.line, site_.line);
    EXPECT_EQ(site_.thread, 8u);
    EXPECT_NE(playhead_.step_state()->acted.at(0) & 1u << 8, 0u) << "it does not only evaluate a condition";
}

TEST_F(PlayheadOfAFault, its_access_stands_beside_the_array) {
    const session::StepState& step = *playhead_.step_state();
    const trace::Trace& trace = *playhead_.run()->trace;
    std::vector<std::uint64_t> turns;
    for (const trace::TurnDetail& detail : step.details)
        turns.push_back(detail.turn);
    const std::vector<scene::StageArray> arrays = scene::stage_arrays(trace, step.step.launch, turns);
    analysis::TurnFlow flow(trace.program);
    const scene::StepScene made = scene::make_scene(trace, arrays, step.details, flow);
    ASSERT_FALSE(made.outside.empty());
    EXPECT_EQ(arrays.at(made.outside[0].array).symbol->name, "a");
    EXPECT_EQ(made.outside[0].index, 40);
    EXPECT_EQ(made.outside[0].thread, 8u);
    EXPECT_EQ(made.outside[0].text, "t8 reads a[40], just past the end");
}

}  // namespace playhead_test
}  // namespace lanescope::session
