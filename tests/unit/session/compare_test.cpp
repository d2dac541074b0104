// Which steps of two runs belong together, and the table of differences.
#include "session/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::session {
namespace compare_test {

std::vector<trace::Step> steps_of(
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& phases_and_counts) {
    std::vector<trace::Step> steps;
    for (const auto& [phase, count] : phases_and_counts)
        for (std::uint32_t i = 0; i < count; ++i) {
            trace::Step step;
            step.phase = phase % 100;
            step.launch = phase / 100;
            steps.push_back(step);
        }
    return steps;
}

void expect_walk(const std::vector<TickPair>& ticks, std::size_t a, std::size_t b) {
    ASSERT_FALSE(ticks.empty());
    EXPECT_EQ(ticks.front(), (TickPair{0, 0}));
    EXPECT_EQ(ticks.back(), (TickPair{std::uint32_t(a - 1), std::uint32_t(b - 1)}));
    for (std::size_t i = 1; i < ticks.size(); ++i) {
        EXPECT_GE(ticks[i].a, ticks[i - 1].a);
        EXPECT_GE(ticks[i].b, ticks[i - 1].b);
        EXPECT_NE(ticks[i], ticks[i - 1]) << "tick " << i << " moves neither run";
    }
}

TEST(Ticks, by_share_the_longer_run_goes_step_by_step) {
    const auto a = steps_of({{0, 7}}), b = steps_of({{0, 3}});
    const auto ticks = ticks_of(a, b, StepTogether::share);
    expect_walk(ticks, 7, 3);
    ASSERT_EQ(ticks.size(), 7u);
    EXPECT_EQ(ticks[3], (TickPair{3, 1}));
}

TEST(Ticks, by_phase_both_begin_every_phase_together) {
    const auto a = steps_of({{0, 4}, {1, 2}, {2, 5}}), b = steps_of({{0, 1}, {1, 6}, {2, 5}});
    const auto ticks = ticks_of(a, b, StepTogether::phase);
    expect_walk(ticks, a.size(), b.size());
    EXPECT_EQ(ticks.size(), 4u + 6u + 5u);
    for (const TickPair& tick : ticks)
        EXPECT_EQ(a[tick.a].phase, b[tick.b].phase);
    EXPECT_EQ(ticks[4], (TickPair{4, 1}));
    EXPECT_EQ(ticks[10], (TickPair{6, 7}));
}

TEST(Ticks, a_phase_that_one_run_lacks_lets_it_wait) {
    const auto a = steps_of({{0, 2}, {1, 2}, {2, 2}, {100, 3}}), b = steps_of({{0, 2}, {100, 3}});
    const auto ticks = ticks_of(a, b, StepTogether::phase);
    ASSERT_EQ(ticks.size(), a.size());
    EXPECT_EQ(ticks[3], (TickPair{3, 1}));
    EXPECT_EQ(ticks[6], (TickPair{6, 2}));  // the second launch begins in both
}

TEST(Ticks, positions_and_phases) {
    const auto a = steps_of({{0, 4}, {1, 2}}), b = steps_of({{0, 1}, {1, 6}});
    const auto ticks = ticks_of(a, b, StepTogether::phase);
    EXPECT_EQ(tick_at(ticks, Side::a, 2), 2u);
    EXPECT_EQ(tick_at(ticks, Side::b, 1), 4u);
    EXPECT_EQ(tick_at(ticks, Side::b, 1000), ticks.size() - 1);
    EXPECT_EQ(tick_by_phase(ticks, a, b, 0, 1), 4u);
    EXPECT_EQ(tick_by_phase(ticks, a, b, 4, 1), ticks.size() - 1);
    EXPECT_EQ(tick_by_phase(ticks, a, b, 6, -1), 4u);
    EXPECT_EQ(tick_by_phase(ticks, a, b, 4, -1), 0u);
    EXPECT_TRUE(ticks_of({}, b, StepTogether::phase).empty());
    EXPECT_EQ(tick_at({}, Side::a, 3), 0u);
}

class Differences : public testing::Test {
  protected:
    Differences() : a_(kernels()), b_(kernels()) {}
    static std::filesystem::path kernels() { return std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels"; }
    void open(Session& session, const char* name, std::int64_t n = 0) {
        session.apply(OpenFile{kernels() / name});
        if (n) session.apply(SetParameter{"n", n});
        ASSERT_TRUE(session.wait()) << to_text(session.diagnostics());
    }
    ComparedFigure row(const std::string& begin) {
        for (const ComparedFigure& each : differences(a_, b_))
            if (each.name.starts_with(begin)) return each;
        return {};
    }
    Session a_, b_;
};

TEST_F(Differences, between_two_reductions) {
    open(a_, "reduction/modulo.cu");
    open(b_, "reduction/sequential.cu");
    const ComparedFigure efficiency = row("SIMT efficiency");
    EXPECT_EQ(efficiency.better, ComparedFigure::Better::b);
    EXPECT_GT(b_.run()->report.total.simt_efficiency(), a_.run()->report.total.simt_efficiency());
    EXPECT_EQ(row("divergent branches").a, std::to_string(a_.run()->report.total.divergent_branches));
    EXPECT_EQ(row("divergent branches").better, ComparedFigure::Better::b);
    EXPECT_TRUE(row("block").same());
    EXPECT_EQ(row("result").a, "as expected");
    EXPECT_EQ(row("result").better, ComparedFigure::Better::neither);
    EXPECT_TRUE(row("atomics").name.empty());
    const ComparedFigure time = row("time, ");
    ASSERT_FALSE(time.name.empty()) << "the recording has times of both files";
    EXPECT_NE(time.better, ComparedFigure::Better::neither);
}

TEST_F(Differences, between_two_sizes) {
    open(a_, "reduction/modulo.cu");
    open(b_, "reduction/modulo.cu", 256);
    EXPECT_EQ(row("n").b, "256");
    EXPECT_FALSE(row("n").same());
    EXPECT_TRUE(row("time, ").name.empty()) << "the recording has one time for the file";
    EXPECT_EQ(why_not_judged(a_, b_), "different n");
    EXPECT_FALSE(row("warp instructions").same());
    EXPECT_EQ(row("warp instructions").better, ComparedFigure::Better::neither)
        << "more elements are more work";
}

TEST_F(Differences, of_blocks_are_judged) {
    open(a_, "reduction/modulo.cu");
    b_.apply(OpenFile{kernels() / "reduction/modulo.cu"});
    b_.apply(SetParameter{"block", 32});
    ASSERT_TRUE(b_.wait());
    EXPECT_EQ(why_not_judged(a_, b_), "") << "other blocks do the same work";
    EXPECT_NE(row("warp instructions").better, ComparedFigure::Better::neither);
}

TEST_F(Differences, of_files_with_other_inputs_are_not_judged) {
    open(a_, "reduction/modulo.cu", 256);
    open(b_, "reduction/sequential.cu");
    EXPECT_EQ(why_not_judged(a_, b_), "different n");
}

TEST_F(Differences, say_in_a_sentence_which_run_is_better_in_what) {
    open(a_, "reduction/modulo.cu");
    open(b_, "reduction/sequential.cu");
    const std::string words = better_words(differences(a_, b_));
    EXPECT_NE(words.find("B is better in "), std::string::npos) << words;
    EXPECT_NE(words.find("divergent branches (" + row("divergent branches").b + " instead of " +
                         row("divergent branches").a + ")"),
              std::string::npos)
        << words;
    EXPECT_EQ(better_words({}), "");
}

TEST_F(Differences, of_estimates_are_judged_beyond_their_error) {
    a_.apply(WantClock{});
    open(a_, "reduction/modulo.cu");
    open(b_, "reduction/modulo.cu");
    EXPECT_TRUE(row("estimated time").name.empty()) << "only one of them is estimated";
    b_.apply(WantClock{});
    ASSERT_TRUE(b_.wait());
    const ComparedFigure time = row("estimated time");
    EXPECT_EQ(time.name, "estimated time, H200");
    EXPECT_TRUE(time.a.starts_with("≈ ")) << time.a;
    EXPECT_EQ(time.better, ComparedFigure::Better::neither);
    EXPECT_EQ(faster_words(a_, b_), "Both take about as long (estimated for an NVIDIA H200).");
    b_.apply(SetParameter{"n", 256});
    ASSERT_TRUE(b_.wait());
    EXPECT_EQ(row("estimated time").better, ComparedFigure::Better::neither) << "more elements are more work";
    EXPECT_EQ(faster_words(a_, b_), "");
}

ClockReading estimated(double microseconds, double global_memory, double barrier) {
    ClockReading made;
    made.device = "NVIDIA H200";
    made.estimate.microseconds = microseconds;
    made.estimate.launch_microseconds = 3;
    analysis::LineCycles line;
    line.stalls[static_cast<std::size_t>(analysis::Stall::global_memory)] = global_memory;
    line.stalls[static_cast<std::size_t>(analysis::Stall::barrier)] = barrier;
    made.estimate.lines = {line};
    return made;
}

TEST(FasterWords, name_the_reason_that_takes_less_time) {
    const ClockReading a = estimated(10, 500, 100), b = estimated(5, 100, 50);
    EXPECT_EQ(faster_words(a, b),
              "B is about 2.0 times as fast (estimated for an NVIDIA H200): its warps wait less for global "
              "memory.");
    EXPECT_TRUE(faster_words(b, a).starts_with("A is about 2.0 times as fast"));
    EXPECT_EQ(faster_words(a, estimated(9.5, 400, 100)),
              "Both take about as long (estimated for an NVIDIA H200).");
    EXPECT_EQ(faster_words(a, estimated(5, 500, 100)),
              "B is about 2.0 times as fast (estimated for an NVIDIA H200).");
    ClockReading one_launch = estimated(5, 100, 50), refused = b;
    one_launch.estimate.launch_microseconds = 0;
    EXPECT_TRUE(faster_words(a, one_launch).ends_with(": it launches fewer kernels."));
    refused.estimate.refused = "it prints";
    EXPECT_EQ(faster_words(a, refused), "");
}

TEST(LinesThatDiffer, are_those_that_the_other_text_lacks) {
    const std::string a = "/*--- lanescope\ntitle = \"a\"\n---*/\nint x;\n    int y;\n\nint z;\n";
    const std::string b = "int x;\nint w;\nint y;\nint z;\nint v;\n";
    EXPECT_EQ(lines_that_differ(a, b), std::vector<std::uint32_t>{});
    EXPECT_EQ(lines_that_differ(b, a), (std::vector<std::uint32_t>{2, 5}));
    EXPECT_EQ(lines_that_differ("int a;\nint b;\n", "int b;\nint a;\n").size(), 1u) << "one line moved";
    EXPECT_EQ(lines_that_differ("", a).size(), 0u);
}

TEST_F(Differences, none_without_a_run) {
    EXPECT_TRUE(differences(a_, b_).empty());
}

}  // namespace compare_test
}  // namespace lanescope::session
