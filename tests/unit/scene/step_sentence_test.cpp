// What a step does, in one sentence; the half of a loop's head that it evaluates.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/turn_flow.h"
#include "scene/source/line_parts.h"
#include "scene/stage/step_sentence.h"

namespace lanescope::scene {
namespace step_sentence_test {

class StepSentence : public testing::Test {
  protected:
    void open(const std::string& lesson) {
        const std::filesystem::path kernels = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels";
        session_ = std::make_unique<session::Session>(kernels);
        session_->apply(session::OpenFile{kernels / lesson});
        ASSERT_TRUE(session_->wait()) << to_text(session_->diagnostics());
    }
    // Says what the step with this number does; from 1.
    std::string at(std::size_t step) {
        session_->apply(session::SeekStep{step - 1});
        return step_sentence(*session_);
    }
    std::unique_ptr<session::Session> session_;
};

TEST_F(StepSentence, reduction_adds_a_cell_and_tells_who_waits) {
    open("reduction/modulo.cu");
    EXPECT_EQ(at(1), "All 64 threads start the kernel.");
    EXPECT_EQ(at(4), "All 64 threads copy one cell each of in to s.");
    EXPECT_EQ(at(6), "All 64 threads set stride to 1.");
    EXPECT_EQ(
        at(7),
        "All threads have arrived at the barrier: what they wrote before is visible to the whole block.");
    EXPECT_EQ(at(17),
              "16 threads (0, 4, 8, …) add the cell 4 to the right to their own cell of s: 2-way bank "
              "conflict; the other 48 wait.");
    EXPECT_EQ(at(39), "Thread 0 copies a cell of s to out; 31 threads wait.");
    EXPECT_EQ(at(40), "Threads 0 to 31 have finished the kernel.");
}

TEST_F(StepSentence, scans) {
    open("scan/hillis_steele.cu");
    EXPECT_EQ(at(8), "Threads 1 to 7 read one cell each of s; the other one waits.");
    EXPECT_EQ(at(11), "Threads 1 to 7 update their own cell of s; the other one waits.");
    open("scan/blelloch.cu");
    EXPECT_EQ(at(11), "All 4 threads add the cell before to their own cell of s.");
    EXPECT_EQ(at(26), "Thread 0 writes 0 to a cell of s; the other 3 wait.");
    EXPECT_EQ(at(38),
              "In each pair of cells of s, the left cell gets the right one, and the right cell gets the "
              "sum of both; the other 2 wait.");
}

// The letter that chose a bin was loaded two lines before.
TEST_F(StepSentence, bins_are_linked_to_the_letters_that_chose_them) {
    open("histogram/privatised.cu");
    session_->apply(session::SeekStep{9});
    const trace::Trace& trace = *session_->trace();
    const session::StepState& step = *session_->playhead().step_state();
    analysis::TurnFlow flow(trace.program);
    std::vector<analysis::TurnFlow::Chosen> chosen;
    for (const trace::TurnDetail& detail : step.details)
        for (const analysis::TurnFlow::Chosen& each : flow.chosen_places(trace, detail)) {
            chosen.push_back(each);
            const trace::Access& atomic =
                *std::find_if(detail.accesses.begin(), detail.accesses.end(),
                              [&](const trace::Access& access) { return access.ordinal == each.ordinal; });
            EXPECT_EQ(each.space, trace::Space::global);
            const std::uint64_t thread = trace.turns[detail.turn].warp * trace::warp_size + each.lane;
            const std::string text = "programming massively parallel processors";
            EXPECT_EQ(std::uint64_t(text[thread % text.size()] - 'a') / 4, atomic.offset[each.lane] / 4)
                << "thread " << thread;
        }
    EXPECT_EQ(chosen.size(), 59u);
}

TEST_F(StepSentence, atomics_meet_in_cells) {
    open("histogram/privatised.cu");
    EXPECT_EQ(at(10),
              "59 threads add 1 to a cell of s; up to 17 meet in one cell and take turns; the other 5 wait.");
    EXPECT_EQ(at(44),
              "Threads 0 to 6 add their value to a cell of out, each to another one; 25 threads wait.");
}

TEST_F(StepSentence, warps_copy_rows_and_columns) {
    open("transpose/tiled.cu");
    EXPECT_EQ(at(6), "Each warp copies a row of in to a row of s.");
    EXPECT_EQ(at(11), "Each warp copies a column of s to a row of out: 32-way bank conflict.");
}

TEST_F(StepSentence, hidden_values_are_not_told) {
    open("scan/blelloch.cu");
    session_->apply(session::HideResults{true});
    EXPECT_EQ(at(26), "Thread 0 writes a value to s; the other 3 wait.");
    EXPECT_EQ(at(30), "All 4 threads compute their own left.");
}

TEST_F(StepSentence, steps_of_many_lines_have_none) {
    open("reduction/modulo.cu");
    session_->apply(session::SetGranularity{trace::Granularity::phase});
    EXPECT_EQ(at(2), "");
}

TEST(LoopHead, both_halves) {
    const std::string_view line = "    for (int i = f(1, 2); i < n; i += g(i)) {";
    const std::optional<LoopHead> head = loop_head(line);
    ASSERT_TRUE(head);
    EXPECT_EQ(line.substr(head->start.begin, head->start.end - head->start.begin), "int i = f(1, 2); i < n");
    EXPECT_EQ(line.substr(head->next.begin, head->next.end - head->next.begin), "i < n; i += g(i)");
    EXPECT_FALSE(loop_head("for (const int each : all)"));
    EXPECT_FALSE(loop_head("for (int i = 0; i < n;"));
    EXPECT_FALSE(loop_head("form(a; b; c)"));
    EXPECT_FALSE(loop_head("for (char c = ';'; c < 9; ++c)"));
}

TEST_F(StepSentence, a_loop_starts_and_goes_on) {
    open("reduction/modulo.cu");
    const auto evaluated = [&](std::size_t step) -> std::string {
        session_->apply(session::SeekStep{step - 1});
        const session::StepState& state = *session_->playhead().step_state();
        const std::string line = "    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {";
        const std::optional<LinePart> part = evaluated_part(*session_->trace(), state, line);
        return part ? line.substr(part->begin, part->end - part->begin) : "";
    };
    EXPECT_EQ(evaluated(6), "unsigned stride = 1; stride <= blockDim.x");
    EXPECT_EQ(evaluated(10), "stride <= blockDim.x; stride *= 2");
}

}  // namespace step_sentence_test
}  // namespace lanescope::scene
