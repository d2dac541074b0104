// All outcomes of a kernel: complete and limited reports, and the session around them.
#include "execution/run/explore.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "base/files.h"
#include "session/session.h"

namespace lanescope::session {
namespace explore_test {

namespace fs = std::filesystem;

fs::path lost_update() {
    return fs::path(LANESCOPE_SOURCE_DIR) / "kernels/atomics/lost_update.cu";
}

execution::RunRequest request_for(const fs::path& file) {
    execution::RunRequest request;
    request.file = file.string();
    if (const Result<std::string> source = read_text_file(file); source) request.source = *source;
    return request;
}

execution::Exploration explored(const execution::RunRequest& request,
                                const execution::ExploreLimits& limits = {}) {
    Result<execution::Exploration> found = execution::explore(request, limits);
    EXPECT_TRUE(found) << to_text(found.diagnostics());
    return found ? std::move(*found) : execution::Exploration{};
}

int first_cell(const std::vector<execution::BufferView>& buffers) {
    int value = 0;
    std::memcpy(&value, buffers.at(0).contents.data(), sizeof value);
    return value;
}

TEST(Explore, every_schedule_of_a_lost_update) {
    const execution::Exploration found = explored(request_for(lost_update()));
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.runs, 4u);
    EXPECT_EQ(found.schedules, 20u);
    ASSERT_EQ(found.outcomes.size(), 2u);
    EXPECT_EQ(first_cell(found.outcomes[0].buffers), 1);
    EXPECT_EQ(found.outcomes[0].schedules, 18u);
    EXPECT_EQ(first_cell(found.outcomes[1].buffers), 2);
    EXPECT_EQ(found.outcomes[1].schedules, 2u);
    EXPECT_TRUE(found.fine());
    for (const execution::Outcome& outcome : found.outcomes) {
        execution::RunRequest again = request_for(lost_update());
        again.schedule = outcome.schedule;
        const Result<execution::RunResult> run = execution::execute(again);
        ASSERT_TRUE(run) << to_text(run.diagnostics());
        EXPECT_EQ(first_cell(run->buffers), first_cell(outcome.buffers));
    }
}

TEST(Explore, an_outcome_that_is_not_expected_is_not_fine) {
    execution::RunRequest request = request_for(lost_update());
    const std::string expected = "problems = [\"race\"]";
    const std::size_t at = request.source.find(expected);
    ASSERT_NE(at, std::string::npos) << request.source;
    request.source.replace(at, expected.size(), "buffer = \"mem\"\nvalues = [2]");
    const execution::Exploration found = explored(request);
    EXPECT_FALSE(found.fine());
    EXPECT_FALSE(found.outcomes[0].ok);
    EXPECT_TRUE(found.outcomes[1].expectations[0].ok) << "the value is as expected";
    EXPECT_FALSE(found.outcomes[1].races.empty());
    EXPECT_FALSE(found.outcomes[1].ok) << "its race is not";
}

TEST(Explore, a_limit_is_said_and_samples_follow) {
    execution::ExploreLimits limits;
    limits.runs = 2;
    limits.seeds = 3;
    const execution::Exploration found = explored(request_for(lost_update()), limits);
    EXPECT_FALSE(found.complete);
    EXPECT_TRUE(found.sampled);
    EXPECT_EQ(found.limit, "the limit of 2 runs was reached");
    EXPECT_EQ(found.runs, 7u);  // 2 searched, round robin, warp by warp, 3 seeds
    EXPECT_FALSE(found.schedules);
    EXPECT_NE(execution::extent_text(found).find("a sample of 7 schedules"), std::string::npos);
    EXPECT_NE(execution::count_text(found, found.outcomes[0]).find("at least"), std::string::npos);
}

TEST(Explore, large_grids_are_sampled) {
    execution::ExploreLimits limits;
    limits.threads = 1;
    const execution::Exploration found = explored(request_for(lost_update()), limits);
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.runs, 2 + limits.seeds);
    ASSERT_EQ(found.outcomes.size(), 1u) << "lanes in lockstep always lose the update";
}

TEST(Explore, too_many_outcomes_end_the_search) {
    execution::ExploreLimits limits;
    limits.outcomes = 1;
    const execution::Exploration found = explored(request_for(lost_update()), limits);
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.limit, "there are more than 1 outcomes");
    EXPECT_EQ(found.outcomes.size(), 1u);
}

TEST(Explore, what_was_cancelled_gives_no_answer) {
    const std::atomic<bool> cancel{true};
    EXPECT_FALSE(execution::explore(request_for(lost_update()), {}, &cancel));
}

TEST(Explore, the_session_keeps_outcomes_until_the_program_changes) {
    Session session(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    session.apply(OpenFile{lost_update()});
    session.apply(ExploreSchedules{});
    ASSERT_TRUE(session.wait()) << to_text(session.diagnostics());
    ASSERT_TRUE(session.explorer().found());
    ASSERT_EQ(session.explorer().found()->outcomes.size(), 2u);
    EXPECT_EQ(first_cell(session.run()->buffers), 1);
    session.apply(SetSchedule{session.explorer().found()->outcomes[1].schedule});
    ASSERT_TRUE(session.wait());
    EXPECT_EQ(first_cell(session.run()->buffers), 2);
    EXPECT_TRUE(session.explorer().found()) << "another schedule does not make another program";
    session.apply(EditSource{session.document().text() + "\n"});
    ASSERT_TRUE(session.wait());
    EXPECT_FALSE(session.explorer().found());
    EXPECT_EQ(session.document().settings().schedule.kind, simt::Schedule::Kind::round_robin)
        << "turns belong to one program";
}

TEST(Explore, outcomes_of_another_file_are_not_shown) {
    Session session(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    session.apply(OpenFile{lost_update()});
    ASSERT_TRUE(session.wait());
    session.apply(ExploreSchedules{});
    ASSERT_TRUE(session.wait());
    ASSERT_TRUE(session.explorer().found());
    session.apply(OpenFile{fs::path(LANESCOPE_SOURCE_DIR) / "kernels/reduction/modulo.cu"});
    ASSERT_TRUE(session.wait());
    EXPECT_EQ(session.document().path().filename(), "modulo.cu");
    EXPECT_FALSE(session.explorer().found());
}

TEST(Explore, a_schedule_may_be_set_before_the_file_is_opened) {
    Session session(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    session.apply(SetSchedule{*simt::parse_schedule("threads:0*3,1*3")});
    session.apply(OpenFile{lost_update()});
    ASSERT_TRUE(session.wait()) << to_text(session.diagnostics());
    EXPECT_EQ(first_cell(session.run()->buffers), 2);
}

TEST(Explore, bad_list_that_names_too_many_turns) {
    execution::RunRequest request = request_for(lost_update());
    request.schedule = *simt::parse_schedule("threads:0*3,1*3");
    request.schedule.turns.push_back({0, 0, 2});
    const Result<execution::RunResult> run = execution::execute(request);
    ASSERT_FALSE(run);
    EXPECT_NE(run.diagnostics()[0].message.find("goes on for 2 turns after the last thread has ended"),
              std::string::npos);
}

}  // namespace explore_test
}  // namespace lanescope::session
