// Choosing the next thread turn by turn: the log of turns, its steps, and the session around it.
#include "execution/run/turn_log.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "base/files.h"
#include "execution/run/named_schedule.h"
#include "session/session.h"

namespace lanescope::session {
namespace turn_log_test {

namespace fs = std::filesystem;
using simt::ThreadState;

const fs::path kernels = fs::path(LANESCOPE_SOURCE_DIR) / "kernels";
const fs::path lost_update = kernels / "atomics/lost_update.cu";

Result<execution::RunResult> run_with(const std::string& schedule, const std::string& source = {}) {
    execution::RunRequest request;
    request.file = lost_update.string();
    request.source = source.empty() ? *read_text_file(lost_update) : source;
    request.schedule = *simt::parse_schedule(schedule);
    return execution::execute(request);
}

int mem(const execution::RunResult& run) {
    int value = 0;
    std::memcpy(&value, run.buffers.at(0).contents.data(), sizeof value);
    return value;
}

std::string lines_of(const execution::RunResult& run) {
    std::string text;
    for (const trace::Step& step :
         execution::steps_of(*run.trace, run.turn_log.get(), 0, trace::Granularity::line))
        text += std::to_string(step.line) + " ";
    return text;
}

TEST(TurnLog, has_every_turn_and_who_else_could_go) {
    const Result<execution::RunResult> run = run_with("threads:0*2,1");
    ASSERT_TRUE(run) << to_text(run.diagnostics());
    ASSERT_TRUE(run->turn_log);
    const std::vector<execution::ThreadTurn>& turns = run->turn_log->turns;
    ASSERT_EQ(turns.size(), 6u) << "three named turns, then three in round robin";
    EXPECT_EQ(simt::to_text(execution::first_turns(*run->turn_log, 6)), "0*2,1,0,1*2");
    EXPECT_EQ(simt::to_text(execution::first_turns(*run->turn_log, 2)), "0*2");
    EXPECT_EQ(turns[0].states, (std::vector{ThreadState::ready, ThreadState::ready}));
    EXPECT_EQ(turns[5].states, (std::vector{ThreadState::ended, ThreadState::ready}));
    EXPECT_EQ(turns.back().end, run->trace->turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
        EXPECT_EQ(execution::turns_until(*run->turn_log, turns[i].end), i + 1);
        EXPECT_EQ(turns[i].first, i == 0 ? 0 : turns[i - 1].end);
    }
}

TEST(TurnLog, a_turn_is_a_step_even_where_two_threads_are_at_one_line) {
    const Result<execution::RunResult> run = run_with("threads:0,1,0,1,0,1");
    ASSERT_TRUE(run) << to_text(run.diagnostics());
    EXPECT_EQ(lines_of(*run), "19 19 20 20 21 21 ");
    EXPECT_LT(trace::build_steps(*run->trace, 0, trace::Granularity::phase).size(), 6u);
    const std::string two_in_a_line =
        "/*--- lanescope\n[buffers]\nmem = { type = \"int\", count = \"1\", init = \"zero\" }\n[[launch]]\n"
        "kernel = \"add\"\ngrid = [\"1\"]\nblock = [\"1\"]\nargs = [\"mem\"]\n---*/\n"
        "__global__ void add(int* mem) { mem[0] = mem[0] + 1; }\n";
    const Result<execution::RunResult> one_line = run_with("threads:0", two_in_a_line);
    ASSERT_TRUE(one_line) << to_text(one_line.diagnostics());
    EXPECT_EQ(lines_of(*one_line), "10 10 ") << "the turn that reads, the turn that writes";
}

TEST(TurnLog, is_for_small_grids_of_single_threads) {
    EXPECT_FALSE(run_with("rr")->turn_log);
    std::string large = *read_text_file(lost_update);
    large.replace(large.find("[\"2\"]"), 5, "[\"65\"]");
    const Result<execution::RunResult> run = run_with("threads:0", large);
    ASSERT_TRUE(run) << to_text(run.diagnostics());
    EXPECT_TRUE(run->by_thread);
    EXPECT_FALSE(run->turn_log);
}

TEST(TurnLog, bad_list_that_names_too_many_turns) {
    const Result<execution::RunResult> run = run_with("threads:0*3,1*3,0");
    EXPECT_FALSE(run) << "the log must not hide that the list asks for too many turns";
}

class ChoosingTurns : public testing::Test {
  protected:
    void SetUp() override {
        session_.apply(OpenFile{lost_update});
        ASSERT_TRUE(session_.wait()) << to_text(session_.diagnostics());
    }
    void choose(const std::string& turns) {
        session_.apply(
            ChooseTurns{turns.empty() ? std::vector<simt::ThreadTurns>{} : *simt::parse_thread_turns(turns)});
        ASSERT_TRUE(session_.wait()) << to_text(session_.diagnostics());
    }
    std::string taken() { return simt::to_text(session::turns_taken(session_.playhead())); }

    Session session_{kernels};
};

TEST_F(ChoosingTurns, goes_on_from_the_position) {
    EXPECT_TRUE((session_.run() && session::can_choose_turns(*session_.run())));
    EXPECT_EQ(session::next_turn(session_.playhead()), nullptr) << "lanes in lockstep: no thread is chosen";
    choose("");
    EXPECT_EQ(taken(), "");
    ASSERT_TRUE(session::next_turn(session_.playhead()));
    EXPECT_EQ(session::next_turn(session_.playhead())->states.size(), 2u);
    EXPECT_TRUE(session_.playhead().at_start());
    ASSERT_TRUE(session_.playhead().step_state());
    EXPECT_EQ(session_.playhead().replay()->position(), 0u) << "no thread has run: memory is as it was given";
    EXPECT_TRUE(session_.playhead().step_state()->details.empty());
    EXPECT_EQ(session_.playhead().step_state()->warps[0][0].status, trace::LaneStatus::unstarted);
    session_.apply(StepBy{1});
    EXPECT_FALSE(session_.playhead().at_start());
    EXPECT_EQ(session_.playhead().step_state()->index, 0u) << "the first step comes next";
    choose("1");
    EXPECT_EQ(taken(), "1");
    EXPECT_EQ(session_.playhead().step_state()->index, 0u);
    EXPECT_EQ(session_.selection().lane, 1u) << "the thread of the last turn is selected";
    choose("1,0");
    choose("1,0,1");
    EXPECT_EQ(session_.playhead().step_state()->index, 2u);
    EXPECT_EQ(session_.playhead().step_state()->step.line, 20u);
    session_.apply(StepBy{-1});
    EXPECT_EQ(taken(), "1,0") << "stepping back takes a turn back";
    choose("1,0*2");
    EXPECT_EQ(taken(), "1,0*2");
    session_.apply(SeekStep{session_.playhead().steps().size() - 1});
    EXPECT_EQ(session::next_turn(session_.playhead()), nullptr) << "all threads have ended";
    EXPECT_EQ(mem(*session_.run()), 1);
}

TEST_F(ChoosingTurns, is_over_when_the_program_changes) {
    choose("1,0,1");
    session_.apply(EditSource{session_.document().text() + "\n"});
    ASSERT_TRUE(session_.wait());
    EXPECT_TRUE(session::turns_taken(session_.playhead()).empty());
    EXPECT_EQ(session::next_turn(session_.playhead()), nullptr);
}

TEST_F(ChoosingTurns, shows_single_turns_whatever_a_step_was_before) {
    session_.apply(SetGranularity{trace::Granularity::launch});
    choose("0,1");
    EXPECT_EQ(session_.playhead().granularity(), trace::Granularity::line);
    EXPECT_EQ(taken(), "0,1");
}

TEST_F(ChoosingTurns, is_for_a_warp_of_threads_at_most) {
    session_.apply(OpenFile{kernels / "reduction/modulo.cu"});
    ASSERT_TRUE(session_.wait());
    EXPECT_FALSE((session_.run() && session::can_choose_turns(*session_.run())));
}

TEST(NamedSchedules, give_the_four_results_of_the_lesson) {
    const std::pair<const char*, int> results[] = {
        {"0-then-1", 2}, {"1-then-0", 2}, {"in-turn-0-first", 1}, {"in-turn-1-first", 1}};
    for (const auto& [name, result] : results) {
        const Result<simt::Schedule> schedule = execution::find_schedule(name, lost_update);
        ASSERT_TRUE(schedule) << to_text(schedule.diagnostics());
        const Result<execution::RunResult> run = run_with(simt::to_text(*schedule));
        ASSERT_TRUE(run) << to_text(run.diagnostics());
        EXPECT_EQ(mem(*run), result) << name;
    }
}

TEST(NamedSchedules, of_the_course_are_schedules) {
    const lesson::Registry registry = lesson::load_registry(kernels);
    std::size_t count = 0;
    for (const lesson::Topic& topic : registry.topics)
        for (const lesson::LessonEntry& entry : topic.lessons)
            for (const lesson::NamedSchedule& each : entry.schedules) {
                EXPECT_TRUE(simt::parse_schedule(each.schedule)) << entry.path << ": " << each.name;
                EXPECT_FALSE(simt::parse_schedule(each.name)) << each.name << " is already a schedule";
                ++count;
            }
    EXPECT_GE(count, 4u);
}

TEST(NamedSchedules, bad_name) {
    const Result<simt::Schedule> unknown = execution::find_schedule("0-then-2", lost_update);
    ASSERT_FALSE(unknown);
    const std::string why = to_text(unknown.diagnostics());
    EXPECT_NE(why.find("unknown schedule '0-then-2'"), std::string::npos) << why;
    EXPECT_NE(why.find("of this lesson: 0-then-1, 1-then-0"), std::string::npos) << why;
    EXPECT_FALSE(execution::find_schedule("0-then-1", kernels / "reduction/modulo.cu"));
}

}  // namespace turn_log_test
}  // namespace lanescope::session
