#include "scene/stage/step_scene.h"

#include <gtest/gtest.h>

#include "scene_fixture.h"

namespace lanescope::scene {
namespace step_scene_test {

using trace::AccessKind;
using trace::Space;

// Adds a turn in which every fourth lane executes s[t] += s[t + 2].
void reduction_step(SceneFixture& f) {
    trace::TurnDetail& turn = f.turn(0);
    const trace::Mask mask = 0x11111111;
    turn.accesses.push_back(
        f.access(AccessKind::load, Space::shared, mask, [](unsigned t) { return t + 2; }));
    turn.accesses.push_back(f.access(AccessKind::load, Space::shared, mask, [](unsigned t) { return t; }));
    turn.accesses.push_back(f.access(AccessKind::store, Space::shared, mask, [](unsigned t) { return t; }));
}

TEST(StepScene, links_lead_from_what_a_lane_reads_to_what_it_writes) {
    SceneFixture f;
    reduction_step(f);
    const StepScene scene = f.scene();
    const std::uint32_t s = f.array("s");
    ASSERT_EQ(scene.links.size(), 8u);
    EXPECT_EQ(scene.links[0], (Link{{s, 2}, {s, 0}, 0, false}));
    EXPECT_EQ(scene.links[7], (Link{{s, 30}, {s, 28}, 28, false}));
}

TEST(StepScene, marks_say_who_read_and_wrote) {
    SceneFixture f;
    reduction_step(f);
    const StepScene scene = f.scene();
    const std::uint32_t s = f.array("s");
    ASSERT_EQ(scene.marks.size(), 16u);
    const CellMark* read = scene.mark({s, 6});
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(read->reads, 1u);
    EXPECT_FALSE(read->written());
    const CellMark* written = scene.mark({s, 4});
    ASSERT_NE(written, nullptr);
    EXPECT_TRUE(written->written());
    EXPECT_EQ(written->last_writer, 4u);
    EXPECT_EQ(scene.accesses_of(*written).size(), 2u);
    EXPECT_EQ(scene.mark({s, 5}), nullptr);
    EXPECT_FALSE(scene.any_conflict);
}

TEST(StepScene, a_broadcast_is_one_mark_without_links) {
    SceneFixture f;
    trace::TurnDetail& turn = f.turn(1);
    turn.accesses.push_back(f.access(AccessKind::load, Space::shared, ~0u, [](unsigned) { return 3; }));
    turn.accesses.push_back(
        f.access(AccessKind::store, Space::shared, ~0u, [](unsigned t) { return 32 + t; }));
    const StepScene scene = f.scene();
    EXPECT_TRUE(scene.links.empty());
    EXPECT_EQ(scene.mark({f.array("s"), 3})->reads, 32u);
    EXPECT_EQ(scene.mark({f.array("s"), 40})->last_writer, 32u + 8);
}

TEST(StepScene, each_store_takes_only_the_loads_before_it) {
    SceneFixture f;
    trace::TurnDetail& turn = f.turn(0);
    turn.accesses.push_back(f.access(AccessKind::load, Space::global, 1, [](unsigned) { return 1; }));
    turn.accesses.push_back(f.access(AccessKind::store, Space::shared, 1, [](unsigned) { return 10; }));
    turn.accesses.push_back(f.access(AccessKind::load, Space::global, 1, [](unsigned) { return 2; }));
    turn.accesses.push_back(f.access(AccessKind::store, Space::shared, 1, [](unsigned) { return 20; }));
    const StepScene scene = f.scene();
    ASSERT_EQ(scene.links.size(), 2u);
    EXPECT_EQ(scene.links[0].to.index, 10u);
    EXPECT_EQ(scene.links[1].from.index, 2u);
    EXPECT_EQ(scene.links[1].to.index, 20u);
}

TEST(StepScene, what_reaches_other_blocks_marks_no_cell) {
    SceneFixture f;
    trace::TurnDetail& turn = f.turn(0);
    turn.accesses.push_back(f.access(AccessKind::load, Space::shared, 0xff, [](unsigned t) { return t; }));
    turn.accesses.push_back(
        f.access(AccessKind::store, Space::shared, 0xff, [](unsigned t) { return 8 + t; }));
    turn.accesses.push_back(f.access(AccessKind::atomic, Space::shared, 1, [](unsigned) { return 3; }));
    turn.accesses[1].owner = 1;
    turn.accesses[2].owner = 1;
    const StepScene scene = f.scene();
    EXPECT_TRUE(scene.links.empty());
    EXPECT_EQ(scene.marks.size(), 8u);
    EXPECT_FALSE(scene.any_conflict);
    ASSERT_EQ(scene.remote.size(), 2u);
    EXPECT_EQ(scene.remote[0].kind, AccessKind::store);
    EXPECT_EQ(scene.remote[0].text, "s[8 … 15] of block 1 · 8 threads");
    EXPECT_EQ(scene.remote[1].text, "s[3] of block 1 · 1 thread");
}

TEST(StepScene, bank_conflicts_are_marked) {
    SceneFixture f;
    trace::TurnDetail& turn = f.turn(0);
    // s[0] and s[32] are different words of bank 0; s[5] is alone in its bank.
    turn.accesses.push_back(
        f.access(AccessKind::load, Space::shared, 7, [](unsigned t) { return t == 2 ? 5 : 32 * t; }));
    const StepScene scene = f.scene();
    EXPECT_TRUE(scene.any_conflict);
    EXPECT_TRUE(scene.mark({f.array("s"), 0})->conflict);
    EXPECT_TRUE(scene.mark({f.array("s"), 32})->conflict);
    EXPECT_FALSE(scene.mark({f.array("s"), 5})->conflict);
}

TEST(StepScene, races_of_the_step_are_marked) {
    SceneFixture f;
    reduction_step(f);
    trace::Problem problem;
    problem.kind = trace::ProblemKind::race;
    problem.space = Space::shared;
    problem.variable = "s";
    problem.index = 4;
    problem.first.turn = 99;
    f.trace.problems.push_back(problem);
    EXPECT_FALSE(f.scene().any_race);
    f.trace.problems[0].second.turn = 0;
    const StepScene scene = f.scene();
    EXPECT_TRUE(scene.mark({f.array("s"), 4})->race);
    EXPECT_FALSE(scene.mark({f.array("s"), 8})->race);
}

TEST(StepScene, bad_accesses_outside_all_arrays_are_left_out) {
    SceneFixture f;
    trace::TurnDetail& turn = f.turn(0);
    turn.accesses.push_back(
        f.access(AccessKind::store, Space::shared, ~0u, [](unsigned t) { return 1000 + t; }));
    const StepScene scene = f.scene();
    EXPECT_TRUE(scene.marks.empty());
    EXPECT_TRUE(scene.links.empty());
}

}  // namespace step_scene_test
}  // namespace lanescope::scene
