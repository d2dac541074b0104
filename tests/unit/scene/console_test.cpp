// The console: the thread that printed a line, later lines, failed assertions.
#include <gtest/gtest.h>

#include "scene/inspector/console_lines.h"

namespace lanescope::scene {
namespace console_test {

execution::RunResult run_with(const std::vector<std::pair<std::string, std::uint64_t>>& pieces) {
    execution::RunResult run;
    auto trace = std::make_shared<trace::Trace>();
    std::uint32_t thread = 0;
    for (const auto& [text, turn] : pieces) {
        trace->console += text;
        trace::Print print;
        print.turn = turn;
        print.end = trace->console.size();
        print.thread = thread++;
        print.line = 7;
        trace->prints.push_back(print);
    }
    run.console = trace->console;
    run.set_trace(trace);
    return run;
}

TEST(Console, lines_belong_to_who_began_them) {
    const auto lines = console_lines(run_with({{"one\n", 1}, {"two ", 2}, {"goes on\nthree\n", 3}}));
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0].text, "one");
    EXPECT_EQ(lines[1].text, "two goes on");
    EXPECT_EQ(lines[1].site.thread, 1u);
    EXPECT_EQ(lines[2].text, "three");
    EXPECT_EQ(lines[2].site.thread, 2u);
    EXPECT_EQ(lines[2].site.line, 7u);
}

TEST(Console, what_comes_later_is_counted) {
    const auto lines = console_lines(run_with({{"a\n", 1}, {"b\n", 4}, {"c\n", 4}, {"d\n", 9}}));
    EXPECT_EQ(lines_until(lines, 0), 0u);
    EXPECT_EQ(lines_until(lines, 2), 1u);
    EXPECT_EQ(lines_until(lines, 5), 3u);
    EXPECT_EQ(lines_until(lines, 10), 4u);
}

TEST(Console, who_predicts_reads_no_further) {
    execution::RunResult run = run_with({{"sum ", 1}, {"is ", 4}, {"9\n", 5}, {"d\n", 9}});
    trace::Problem failed;
    failed.kind = trace::ProblemKind::trap;
    failed.message = "assertion failed";
    failed.first.turn = 6;
    run.problems = {failed};
    const auto lines = console_lines(run, 5);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].text, "sum is ") << "the rest of a line that was begun is hidden, too";
    EXPECT_TRUE(console_lines(run, 1).empty());
    EXPECT_EQ(console_lines(run, 7).size(), 2u);
    EXPECT_EQ(console_lines(run).size(), 3u);
}

TEST(Console, failures_stand_where_they_happened) {
    execution::RunResult run = run_with({{"a\n", 1}, {"b\n", 9}});
    trace::Problem failed;
    failed.kind = trace::ProblemKind::trap;
    failed.message = "assertion failed";
    failed.first.turn = 5;
    run.problems = {failed};
    const auto lines = console_lines(run);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_TRUE(lines[1].failure);
    EXPECT_EQ(lines[1].text, "assertion failed");
}

TEST(Console, text_without_known_threads_is_always_shown) {
    execution::RunResult run;
    run.console = "x\ny\n";
    const auto lines = console_lines(run);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_FALSE(lines[0].known);
    EXPECT_EQ(lines_until(lines, 0), 2u);
}

}  // namespace console_test
}  // namespace lanescope::scene
