// The list of a program's launches: what a row says, and what a filter leaves.
#include "scene/inspector/launch_rows.h"

#include <gtest/gtest.h>

namespace lanescope::scene {
namespace launch_rows_test {

program::ProgramRun three_launches() {
    program::ProgramRun run;
    for (std::uint64_t i = 0; i < 3; ++i) {
        program::ProgramLaunch launch;
        launch.number = i;
        launch.kernel = i == 1 ? "Sum<int>" : "fill";
        launch.grid = {4, 2, 1};
        launch.block = {256, 1, 1};
        launch.ending = "finished";
        launch.warp_instructions = 12345;
        launch.place = {"/home/me/program.cu", 41, "main"};
        run.launches.push_back(launch);
    }
    program::ProgramBuffer buffer;
    buffer.number = 7;
    buffer.name = "d_in";
    run.buffers = {buffer};
    run.launches[1].buffers = {7, 8};
    run.launches[1].shared_bytes = 1024;
    return run;
}

TEST(LaunchRows, say_what_a_launch_does) {
    const std::vector<LaunchRow> rows = launch_rows(three_launches());
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].details, "4×2 × 256 threads · program.cu:41");
    EXPECT_EQ(rows[1].details, "4×2 × 256 threads · 1 024 B shared · program.cu:41 · d_in, buffer 8");
    EXPECT_EQ(rows[1].work, "12 345");
    EXPECT_EQ(rows[1].problems, "");
    EXPECT_FALSE(rows[1].problem);
}

TEST(LaunchRows, notes_are_not_problems) {
    program::ProgramRun run = three_launches();
    program::LaunchProblem problem, note;
    problem.message = "two threads write a[0]";
    note.message = "nothing reads b";
    note.note = true;
    run.launches[0].problems = {note};
    run.launches[1].problems = {problem, note, problem};
    run.launches[2].ending = "step_limit";
    const std::vector<LaunchRow> rows = launch_rows(run);
    EXPECT_EQ(rows[0].problems, "1 note");
    EXPECT_FALSE(rows[0].problem);
    EXPECT_EQ(rows[1].problems, "2 problems");
    EXPECT_NE(rows[1].story.find("✗ two threads write a[0]"), std::string::npos) << rows[1].story;
    EXPECT_EQ(rows[2].problems, "step limit");
    EXPECT_TRUE(rows[2].problem);
    EXPECT_EQ(filtered(rows, {"", true}), (std::vector<std::size_t>{1, 2}));
    EXPECT_EQ(filtered(rows, {"SUM", true}), (std::vector<std::size_t>{1}));
    EXPECT_EQ(filtered(rows, {"fill", false}), (std::vector<std::size_t>{0, 2}));
    EXPECT_TRUE(filtered(rows, {"scan", false}).empty());
}

}  // namespace launch_rows_test
}  // namespace lanescope::scene
