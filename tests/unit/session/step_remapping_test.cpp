// The new position after a change of the source or the parameters.
#include "session/playhead/step_remapping.h"

#include <gtest/gtest.h>

namespace lanescope::session {
namespace step_remapping_test {

using trace::Step;

// Returns steps from launch, phase and line; turns do not matter here.
std::vector<Step> steps(const std::vector<std::array<std::uint32_t, 3>>& made) {
    std::vector<Step> all;
    for (const auto& [launch, phase, line] : made) {
        Step step;
        step.launch = launch, step.phase = phase, step.line = line;
        step.first = all.size(), step.end = all.size() + 1;
        all.push_back(step);
    }
    return all;
}

TEST(Places, lines_behind_an_inserted_one_are_moved) {
    const LineMap map("a\nb\nc\nd\n", "a\nnew\nb\nc\nd\n");
    EXPECT_EQ(map.moved(1), 1u);
    EXPECT_EQ(map.moved(2), 3u);
    EXPECT_EQ(map.moved(4), 5u);
}

TEST(Places, lines_that_were_replaced_have_no_place) {
    const LineMap map("a\nb\nc\nd", "a\nx\ny\nz\nd");
    EXPECT_EQ(map.moved(1), 1u);
    EXPECT_EQ(map.moved(2), 0u);
    EXPECT_EQ(map.moved(3), 0u);
    EXPECT_EQ(map.moved(4), 5u);
    EXPECT_EQ(LineMap("a\nb\nc", "a\nB\nc").moved(2), 2u) << "a single altered line keeps its place";
}

TEST(Places, the_same_sequence_of_steps_keeps_the_step) {
    const auto before = steps({{0, 0, 3}, {0, 0, 4}, {0, 1, 3}, {0, 1, 4}});
    const auto after = steps({{0, 0, 5}, {0, 0, 6}, {0, 1, 5}, {0, 1, 6}});
    EXPECT_EQ(same_place(before, 3, after, LineMap("a\nb\nc\nd", "new\nnew\na\nb\nc\nd")), 3u);
}

TEST(Places, another_sequence_keeps_phase_line_and_visit) {
    const LineMap map("only\nlines", "only\nlines");
    const auto three = steps({{0, 0, 1}, {0, 1, 1}, {0, 1, 2}, {0, 1, 1}, {0, 1, 2}, {0, 1, 1}, {0, 1, 2}});
    const auto two = steps({{0, 0, 1}, {0, 0, 2}, {0, 1, 1}, {0, 1, 2}, {0, 1, 1}, {0, 1, 2}});
    EXPECT_EQ(same_place(three, 4, two, map), 5u) << "second visit of line 2 in phase 1";
    EXPECT_EQ(same_place(three, 6, two, map), 5u) << "the last visit replaces the missing third one";
    EXPECT_EQ(same_place(three, 2, two, map), 3u);
}

TEST(Places, a_line_that_is_gone_keeps_the_share_of_its_phase) {
    const LineMap map("a\nb\nc\nd\ne", "a\nx\ny\ne");  // lines 2 to 4 changed
    const auto before = steps({{0, 0, 1}, {0, 1, 1}, {0, 1, 2}, {0, 1, 3}, {0, 1, 4}});
    const auto after = steps({{0, 0, 1}, {0, 1, 1}, {0, 1, 2}, {0, 1, 3}});
    EXPECT_EQ(same_place(before, 3, after, map), 2u);
    const auto fewer_phases = steps({{0, 0, 1}, {0, 0, 2}});
    EXPECT_EQ(same_place(before, 3, fewer_phases, map), 1u) << "the last step before the missing phase";
}

}  // namespace step_remapping_test
}  // namespace lanescope::session
