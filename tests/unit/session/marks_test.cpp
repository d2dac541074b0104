// Breakpoints in files, selected warps, and recent files.
#include "session/selection/marks.h"

#include <gtest/gtest.h>

#include "session/document/recent_files.h"
#include "session/selection/selection.h"

namespace lanescope::session {
namespace marks_test {

std::vector<std::uint32_t> lines(const Marks& marks) {
    std::vector<std::uint32_t> found;
    for (const Breakpoint& each : marks.breakpoints())
        found.push_back(each.line);
    return found;
}

using Lines = std::vector<std::uint32_t>;

TEST(Marks, are_of_one_file) {
    Marks marks;
    marks.go_to("a.cu");
    marks.set({7, "", true});
    marks.set_watches({"t + 1"});
    marks.go_to("b.cu");
    EXPECT_TRUE(marks.breakpoints().empty());
    EXPECT_TRUE(marks.watches().empty());
    marks.go_to("a.cu");
    EXPECT_EQ(lines(marks), Lines{7});
    EXPECT_EQ(marks.watches(), std::vector<std::string>{"t + 1"});
}

TEST(Marks, a_line_has_one_breakpoint) {
    Marks marks;
    marks.go_to("a.cu");
    marks.set({9, "", true});
    marks.set({3, "", true});
    marks.set({9, "t == 1", false});
    EXPECT_EQ(lines(marks), (Lines{3, 9}));
    EXPECT_EQ(marks.breakpoints()[1].condition, "t == 1");
    EXPECT_FALSE(marks.breakpoints()[1].enabled);
}

TEST(Marks, toggle_takes_the_line_that_has_code) {
    Marks marks;
    marks.go_to("a.cu");
    marks.toggle(4, 6);
    EXPECT_EQ(lines(marks), Lines{6});
    marks.toggle(5, 6);
    EXPECT_EQ(lines(marks), Lines{6}) << "the line has one already";
    marks.toggle(6, 6);
    EXPECT_TRUE(marks.breakpoints().empty());
    marks.toggle(99, 0);
    EXPECT_TRUE(marks.breakpoints().empty()) << "no line with code follows";
}

TEST(Marks, follow_the_text_around_them) {
    Marks marks;
    marks.go_to("a.cu");
    marks.set({2, "", true});
    marks.follow_edit("a\nb\nc\n", "new\na\nb\nc\n");
    EXPECT_EQ(lines(marks), Lines{3});
}

TEST(LineWithCode, is_this_one_or_the_next) {
    trace::Trace trace;
    trace.program.code_rows = {{0, 5, 1, 1}, {0, 8, 1, 2}};
    EXPECT_EQ(line_with_code(trace, 1), 5u);
    EXPECT_EQ(line_with_code(trace, 5), 5u);
    EXPECT_EQ(line_with_code(trace, 6), 8u);
    EXPECT_EQ(line_with_code(trace, 9), 0u);
}

TEST(Selection, pins_a_lane_of_a_warp) {
    Selection selection;
    selection.pin_thread(70);
    EXPECT_EQ(selection.warp, 2u);
    EXPECT_EQ(selection.lane, 6u);
    trace::Trace trace;
    trace.launches.emplace_back().block = {64, 1, 1};
    selection.clamp(trace);
    EXPECT_EQ(selection.warp, 1u);
    EXPECT_EQ(selection.lane, 6u);
}

TEST(Selection, hovers_a_lane_or_a_cell) {
    Selection selection;
    selection.hover_cell("s", 3);
    EXPECT_FALSE(selection.lane_hovered);
    selection.hover_lane(1, 2);
    EXPECT_TRUE(selection.lane_hovered);
    EXPECT_TRUE(selection.hovered_symbol.empty());
    selection.hover_cell("s", 3);
    selection.clear_hover();
    EXPECT_FALSE(selection.lane_hovered);
    EXPECT_TRUE(selection.hovered_symbol.empty());
}

TEST(RecentFiles, the_newest_is_first_and_stands_once) {
    RecentFiles recent;
    recent.put({"/a.cu", 1, {}});
    recent.put({"/b.cu", 2, {}});
    recent.put({"/a.cu", 3, {}});
    const std::vector<FileMemory> all = recent.with({"/c.cu", 9, {}});
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].path, "/c.cu");
    EXPECT_EQ(all[1].path, "/a.cu");
    EXPECT_EQ(all[1].step, 3u);
    EXPECT_EQ(all[2].path, "/b.cu");
    ASSERT_NE(recent.find("/b.cu"), nullptr);
    EXPECT_EQ(recent.find("/b.cu")->step, 2u);
    EXPECT_EQ(recent.find("/c.cu"), nullptr);
    EXPECT_EQ(recent.with({}).size(), 2u) << "without an open file";
}

TEST(RecentFiles, are_not_kept_without_end) {
    RecentFiles recent;
    for (int i = 0; i < 1000; ++i)
        recent.put({"/" + std::to_string(i) + ".cu", 0, {}});
    EXPECT_LT(recent.with({}).size(), 100u);
    EXPECT_EQ(recent.with({})[0].path, "/999.cu");
}

}  // namespace marks_test
}  // namespace lanescope::session
