#include <gtest/gtest.h>

#include <bit>
#include <chrono>

#include "session/playhead/breakpoint_scan.h"
#include "session/playhead/named_cell.h"
#include "session/session.h"

namespace lanescope::session {
namespace breakpoint_test {

namespace fs = std::filesystem;

class Breakpoints : public testing::Test {
  protected:
    Breakpoints() : session_(fs::path(LANESCOPE_SOURCE_DIR) / "kernels") {}
    void open(const char* name) {
        session_.apply(OpenFile{fs::path(LANESCOPE_SOURCE_DIR) / "kernels" / name});
        ASSERT_TRUE(session_.wait()) << to_text(session_.diagnostics());
    }
    // Returns the number of the first line that contains this text.
    std::uint32_t line_of(const std::string& text) {
        const std::string& source = session_.document().text();
        const std::size_t at = source.find(text);
        if (at == std::string::npos) {
            ADD_FAILURE() << text;
            return 0;
        }
        EXPECT_NE(at, std::string::npos) << text;
        return std::uint32_t(std::count(source.begin(), source.begin() + std::ptrdiff_t(at), '\n')) + 1;
    }
    void go(bool back = false) {
        session_.apply(Continue{back});
        session_.wait();
    }
    std::size_t at() { return session_.playhead().step_state()->index; }
    Session session_;
};

TEST_F(Breakpoints, stop_forwards_and_backwards_at_every_step_of_the_line) {
    open("reduction/modulo.cu");
    const std::uint32_t line = line_of("s[2 * t] += s[2 * t + stride]");
    session_.apply(ToggleBreakpoint{line});
    std::vector<std::size_t> wanted, forwards, backwards;
    for (std::size_t i = 0; i < session_.playhead().steps().size(); ++i)
        if (session_.playhead().steps()[i].line == line) wanted.push_back(i);
    ASSERT_GE(wanted.size(), 5u);
    for (go(); session_.search().hit(); go())
        forwards.push_back(at());
    EXPECT_EQ(forwards, wanted);
    EXPECT_EQ(session_.search().note(), "the end of the run: no breakpoint stops");
    EXPECT_EQ(at(), session_.playhead().steps().size() - 1);
    for (go(true); session_.search().hit(); go(true))
        backwards.insert(backwards.begin(), at());
    EXPECT_EQ(backwards, wanted);
    EXPECT_EQ(session_.search().note(), "no breakpoint stops before this step");
    EXPECT_EQ(at(), wanted.front()) << "only forwards a run has an end to go to";
}

// The steps in which a lane writes this cell of the first shared array.
std::vector<std::size_t> steps_that_write(Session& session, std::uint64_t offset) {
    std::vector<std::size_t> found;
    for (std::size_t step = 0; step < session.playhead().steps().size(); ++step) {
        session.apply(SeekStep{step});
        bool writes = false;
        for (const trace::TurnDetail& turn : session.playhead().step_state()->details)
            for (const trace::Access& access : turn.accesses)
                for (unsigned lane = 0; lane < trace::warp_size; ++lane)
                    writes |= access.space == trace::Space::shared &&
                              access.kind != trace::AccessKind::load && (access.mask >> lane & 1) != 0 &&
                              access.offset[lane] == offset;
        if (writes) found.push_back(step);
    }
    return found;
}

TEST_F(Breakpoints, on_a_cell_stop_at_each_write_forwards_and_backwards) {
    open("reduction/modulo.cu");
    const std::vector<std::size_t> wanted = steps_that_write(session_, 4 * 4);
    ASSERT_GE(wanted.size(), 3u);
    session_.apply(SeekStep{0});
    session_.apply(ToggleCellBreakpoint{"s[4]"});
    std::vector<std::size_t> forwards, backwards;
    for (go(); session_.search().hit(); go()) {
        forwards.push_back(at());
        EXPECT_EQ(session_.search().hit()->cell, "s[4]");
        EXPECT_EQ(std::popcount(session_.search().hit()->lanes[0]), 1) << "one lane writes it";
    }
    EXPECT_EQ(forwards, wanted);
    session_.apply(SeekStep{session_.playhead().steps().size() - 1});
    for (go(true); session_.search().hit(); go(true))
        backwards.insert(backwards.begin(), at());
    EXPECT_EQ(backwards, wanted);
    session_.apply(ToggleCellBreakpoint{"s[4]"});
    EXPECT_TRUE(session_.marks().breakpoints().empty());
}

TEST_F(Breakpoints, on_cells_and_on_lines_stop_together) {
    open("reduction/modulo.cu");
    session_.apply(ToggleCellBreakpoint{"out[0]"});
    session_.apply(ToggleCellBreakpoint{"s[126]"});
    const std::uint32_t line = line_of("if (t == 0)");
    session_.apply(ToggleBreakpoint{line});
    go();
    ASSERT_NE(session_.search().hit(), nullptr);
    EXPECT_EQ(session_.search().hit()->cell, "s[126]") << "the loads of the block come first";
    while (session_.search().hit() && session_.search().hit()->cell == "s[126]")
        go();
    ASSERT_NE(session_.search().hit(), nullptr);
    EXPECT_EQ(session_.search().hit()->line, line);
    EXPECT_EQ(session_.search().hit()->cell, "");
    while (session_.search().hit() && session_.search().hit()->cell.empty())
        go();
    ASSERT_NE(session_.search().hit(), nullptr);
    EXPECT_EQ(session_.search().hit()->cell, "out[0]");
}

TEST_F(Breakpoints, of_other_blocks_stop_for_global_memory_only) {
    open("reduction/modulo.cu");
    session_.apply(SetParameter{"n", 512});
    ASSERT_TRUE(session_.wait());
    session_.apply(SeekStep{0});
    session_.apply(ToggleCellBreakpoint{"out[3]"});
    go();
    ASSERT_NE(session_.search().hit(), nullptr);
    EXPECT_EQ(session_.playhead().block(), 3u);
    session_.apply(FocusBlock{0});
    session_.apply(SeekStep{0});
    session_.apply(ClearBreakpoints{});
    session_.apply(ToggleCellBreakpoint{"s[0]"});
    for (go(); session_.search().hit(); go())
        EXPECT_EQ(session_.search().hit()->block, 0u);
    EXPECT_EQ(session_.playhead().block(), 0u);
}

TEST_F(Breakpoints, bad_cells_are_told) {
    open("reduction/modulo.cu");
    const auto why = [&](const char* cell) {
        const Result<NamedCell> named = cell_named(*session_.trace(), cell);
        return named ? std::string() : named.diagnostics().front().message;
    };
    EXPECT_EQ(why("s[4]"), "");
    EXPECT_EQ(why("s[500]"), "'s' has cells 0 to 127");
    EXPECT_EQ(why("s"), "'s' has 128 cells: write s[0] for the first");
    EXPECT_EQ(why("s[1][2]"), "'s' has 1 index");
    EXPECT_EQ(why("q[1]"), "this run has no array 'q'");
    EXPECT_EQ(why("s[t]"), "the index of a cell must be a whole number");
    EXPECT_EQ(why("s[1] + 1"), "a cell must be written like s[3]: the name of an array, then the index");
    EXPECT_FALSE(why("s[").empty());
    session_.apply(ToggleCellBreakpoint{"q[1]"});
    go();
    EXPECT_EQ(session_.search().note(), "q[1]: this run has no array 'q'");
    EXPECT_EQ(at(), 0u);
}

TEST_F(Breakpoints, on_cells_survive_an_edit) {
    const std::vector<Breakpoint> before = {{0, "", true, "s[3]"}, {0, "", true, "s[4]"}, {2, "", true}};
    const std::vector<Breakpoint> after = after_edit(before, "a\nb\nc\n", "a\nx\nb\nc\n");
    ASSERT_EQ(after.size(), 3u);
    EXPECT_EQ(after[0].cell, "s[3]");
    EXPECT_EQ(after[1].cell, "s[4]");
    EXPECT_EQ(after[2].line, 3u);
}

TEST_F(Breakpoints, a_label_names_the_cell_of_a_lane) {
    open("reduction/modulo.cu");
    session_.apply(SeekStep{12});
    EXPECT_EQ(session_.values().cell("s[2 * t + stride]", 0, 4), "s[10]");
    EXPECT_EQ(session_.values().cell("t", 0, 4), "") << "a variable in a register";
    EXPECT_EQ(session_.values().cell("s[t] + 1", 0, 4), "");
}

TEST_F(Breakpoints, conditions_name_the_lanes_that_meet_them) {
    open("reduction/modulo.cu");
    const std::uint32_t line = line_of("s[2 * t] += s[2 * t + stride]");
    session_.apply(SetBreakpoint{{line, "t == 32 && stride > 4", true}});
    go();
    ASSERT_TRUE(session_.search().hit());
    EXPECT_EQ(session_.search().hit()->lanes, (std::vector<trace::Mask>{0, 1}));
    EXPECT_EQ(session_.values().value("stride", 1, 0).text, "8");
    session_.apply(SetBreakpoint{{line, "t % 16 == 0 && stride == 4", true}});
    session_.apply(SeekStep{0});
    go();
    ASSERT_TRUE(session_.search().hit());
    EXPECT_EQ(session_.search().hit()->lanes, (std::vector<trace::Mask>{0x10001, 0x10001}));
    session_.apply(SetBreakpoint{{line, "t == 5 && stride == 2", true}});
    session_.apply(SeekStep{0});
    go();
    EXPECT_FALSE(session_.search().hit()) << "no odd thread runs this line at that stride";
    EXPECT_EQ(at(), session_.playhead().steps().size() - 1);
}

TEST_F(Breakpoints, bad_condition_is_told_and_nothing_moves) {
    open("reduction/modulo.cu");
    session_.apply(SetBreakpoint{{line_of("s[2 * t] += s[2 * t + stride]"), "t ==", true}});
    session_.apply(SeekStep{3});
    go();
    EXPECT_EQ(at(), 3u);
    EXPECT_NE(session_.search().note().find("a value is expected here"), std::string::npos);
}

TEST_F(Breakpoints, disabled_ones_are_left_out_and_none_says_so) {
    open("reduction/modulo.cu");
    go();
    EXPECT_EQ(session_.search().note(),
              "the end of the run: no breakpoint is set (click a line's number or a cell)");
    EXPECT_EQ(at(), session_.playhead().steps().size() - 1);
    session_.apply(SeekStep{0});
    session_.apply(SetBreakpoint{{line_of("s[2 * t] += s[2 * t + stride]"), "", false}});
    go();
    EXPECT_EQ(at(), session_.playhead().steps().size() - 1);
}

TEST_F(Breakpoints, go_to_a_line_with_code_and_toggle) {
    open("reduction/modulo.cu");
    session_.apply(ToggleBreakpoint{1});  // in the front matter
    ASSERT_EQ(session_.marks().breakpoints().size(), 1u);
    EXPECT_EQ(session_.marks().breakpoints()[0].line, line_with_code(*session_.trace(), 1));
    EXPECT_GT(session_.marks().breakpoints()[0].line, 5u);
    session_.apply(ToggleBreakpoint{session_.marks().breakpoints()[0].line});
    EXPECT_TRUE(session_.marks().breakpoints().empty());
}

TEST_F(Breakpoints, run_to_a_line_both_ways) {
    open("reduction/modulo.cu");
    const std::uint32_t line = line_of("out[blockIdx.x]");
    session_.apply(RunToLine{line});
    session_.wait();
    EXPECT_EQ(session_.playhead().step_state()->step.line, line);
    const std::uint32_t load = line_of("__syncthreads()");
    session_.apply(RunToLine{load, true});
    session_.wait();
    EXPECT_EQ(session_.playhead().step_state()->step.line, load);
    session_.apply(SeekStep{session_.playhead().steps().size() - 1});
    session_.apply(RunToLine{load});
    session_.wait();
    EXPECT_EQ(session_.search().note(), "line " + std::to_string(load) + " does not run after this step");
}

TEST_F(Breakpoints, a_condition_on_the_block_is_looked_for_in_all_blocks) {
    open("first_steps/vector_add.cu");
    const std::uint32_t line = line_of("threadIdx.x;");
    session_.apply(SetBreakpoint{{line, "blockIdx.x == 1 && threadIdx.x == 2", true}});
    go();
    ASSERT_TRUE(session_.search().hit());
    EXPECT_EQ(session_.playhead().block(), 1u);
    EXPECT_EQ(session_.search().hit()->lanes[0], 4u);
}

TEST_F(Breakpoints, move_with_the_lines_of_an_edit) {
    const std::string before = "a\nb\nc\nd\n";
    const auto lines = [](const std::vector<Breakpoint>& all) {
        std::vector<std::uint32_t> found;
        for (const Breakpoint& each : all)
            found.push_back(each.line);
        return found;
    };
    const std::vector<Breakpoint> all = {{1, "", true}, {3, "", true}, {4, "", true}};
    EXPECT_EQ(lines(after_edit(all, before, "a\nnew\nb\nc\nd\n")), (std::vector<std::uint32_t>{1, 4, 5}));
    EXPECT_EQ(lines(after_edit(all, before, "a\nd\n")), (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(lines(after_edit(all, before, "a\nb\nC!\nd\n")), (std::vector<std::uint32_t>{1, 3, 4}));
}

TEST_F(Breakpoints, stay_with_their_files) {
    open("reduction/modulo.cu");
    session_.apply(ToggleBreakpoint{line_of("s[2 * t] += s[2 * t + stride]")});
    session_.apply(SetWatches{{"s[t] + 1"}});
    open("first_steps/vector_add.cu");
    EXPECT_TRUE(session_.marks().breakpoints().empty());
    EXPECT_TRUE(session_.marks().watches().empty());
    open("reduction/modulo.cu");
    EXPECT_EQ(session_.marks().breakpoints().size(), 1u);
    Session other(fs::path(LANESCOPE_SOURCE_DIR) / "kernels");
    other.restore({{}, session_.marks().all(), {}});
    other.apply(OpenFile{session_.document().path()});
    ASSERT_TRUE(other.wait());
    EXPECT_EQ(other.marks().watches(), std::vector<std::string>{"s[t] + 1"});
    EXPECT_EQ(other.marks().breakpoints(), session_.marks().breakpoints());
}

TEST_F(Breakpoints, instructions_are_steps_both_ways) {
    open("reduction/modulo.cu");
    session_.apply(RunToLine{line_of("s[2 * t] += s[2 * t + stride]")});
    session_.wait();
    session_.apply(StepInstructions{true});
    ASSERT_TRUE(session_.playhead().by_instruction());
    const std::size_t count = session_.playhead().step_state()->pcs.size();
    ASSERT_EQ(count, session_.trace()->turns[session_.playhead().step_state()->step.first].instructions);
    const std::size_t step = at();
    std::size_t accesses = 0;
    std::vector<std::uint32_t> forwards = {session_.playhead().step_state()->pcs[0]}, backwards;
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(at(), step);
        EXPECT_EQ(session_.playhead().step_state()->instruction, i);
        for (const trace::TurnDetail& detail : session_.playhead().step_state()->details)
            for (const trace::Access& access : detail.accesses) {
                EXPECT_EQ(access.pc, session_.playhead().step_state()->pcs[i]);
                ++accesses;
            }
        session_.apply(StepBy{1});
    }
    EXPECT_EQ(at(), step + 1);
    EXPECT_GE(accesses, 3u) << "two loads and a store in shared memory";
    session_.apply(StepBy{-1});
    EXPECT_EQ(at(), step);
    EXPECT_EQ(session_.playhead().step_state()->instruction, count - 1);
    session_.apply(SetGranularity{trace::Granularity::line});
    EXPECT_FALSE(session_.playhead().by_instruction());
}

}  // namespace breakpoint_test
}  // namespace lanescope::session
