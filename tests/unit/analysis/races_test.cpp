// Which accesses count as ordered, in hand-made traces.
#include "analysis/races.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scene.h"

namespace lanescope::analysis {
namespace races_test {

using namespace lanescope::trace;

constexpr Mask all = ~Mask{0};
constexpr Scene::Who w0{0, 0, all}, w1{0, 1, all};  // warps of block 0
constexpr Scene::Who t0{0, 0, 1}, t1{0, 0, 2}, t32{0, 1, 1}, other_block{1, 0, 1};

std::uint64_t own(unsigned lane) {
    return lane;
}
std::uint64_t next(unsigned lane) {
    return lane + 1;
}

RaceReport report_of(Scene& scene, const RaceLimits& limits = {},
                     const std::atomic<bool>* cancelled = nullptr) {
    const auto trace = scene.finish();
    return find_races(*trace, Code(trace->program), limits, cancelled);
}

std::vector<Problem> races(Scene& scene) {
    return report_of(scene).problems;
}

// Returns kinds and lines of the problems, such as "race 2 1"; notes stand in brackets.
std::string summary(Scene& scene) {
    std::string text;
    for (const Problem& problem : races(scene))
        text += std::string(text.empty() ? "" : ", ") + (problem.note ? "(" : "") + to_text(problem.kind) +
                " " + std::to_string(problem.first.line) + " " + std::to_string(problem.second.line) +
                (problem.note ? ")" : "");
    return text;
}

TEST(Races, a_missing_barrier_between_warps) {
    Scene scene(1, 64);
    scene.shared(w1, store, 10, [](unsigned lane) { return 32 + lane; });
    scene.shared(w0, store, 10, own);
    scene.meet(w0);
    scene.shared(w0, load, 11, next);
    const std::vector<Problem> found = races(scene);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, ProblemKind::race);
    EXPECT_EQ(found[0].variable, "s");
    EXPECT_EQ(found[0].index, 32);
    EXPECT_EQ(found[0].occurrences, 1u);
    EXPECT_EQ(found[0].first.line, 10u);
    EXPECT_EQ(found[0].first.thread, 32u);
    EXPECT_EQ(found[0].first.turn, 0u);
    EXPECT_EQ(found[0].first.access, AccessKind::store);
    EXPECT_EQ(found[0].second.line, 11u);
    EXPECT_EQ(found[0].second.thread, 31u);
    EXPECT_EQ(found[0].second.turn, 3u);
    EXPECT_EQ(found[0].second.access, AccessKind::load);
    EXPECT_EQ(found[0].message,
              "line 11: thread 31 of block 0 reads s[32], which thread 32 wrote in line 10; no barrier "
              "stands between");
}

TEST(Races, a_barrier_orders_the_block) {
    Scene scene(2, 64);
    scene.shared(w0, store, 10, own);
    scene.shared(w1, store, 10, [](unsigned lane) { return 32 + lane; });
    scene.barrier(0);
    scene.shared(w0, load, 11, next);
    scene.barrier(0);
    scene.shared(w1, store, 12, own);
    EXPECT_EQ(summary(scene), "");
}

TEST(Races, the_barrier_of_another_block_orders_nothing) {
    Scene scene(2, 64);
    scene.global(t0, store, 10, 5);
    scene.barrier(1);
    scene.global(t32, load, 11, 5);
    EXPECT_EQ(summary(scene), "race 10 11");
}

TEST(Races, threads_that_have_exited_need_not_arrive) {
    Scene scene(1, 64);
    scene.shared(w1, store, 10, own);
    scene.exit(w1);
    scene.wait(w0);
    scene.open(0);
    scene.shared(w0, load, 11, own);
    EXPECT_EQ(summary(scene), "");
}

TEST(Races, a_write_after_a_read) {
    Scene scene(1, 64);
    scene.shared(w0, load, 10, own);
    scene.shared(w1, store, 11, own);
    EXPECT_EQ(summary(scene), "race 10 11");
}

TEST(Races, every_reader_since_the_last_write_counts) {
    Scene scene(4, 32);
    for (std::uint32_t block = 0; block < 3; ++block)
        scene.global({block, 0, 1}, load, 10 + block, 7);
    scene.global({3, 0, 1}, store, 20, 7);
    EXPECT_EQ(summary(scene), "race 12 20, race 11 20, race 10 20");
}

TEST(Races, lockstep_alone_is_no_synchronisation) {
    Scene scene(1, 32);
    scene.shared(w0, store, 10, own);
    scene.shared({0, 0, 0xffff}, load, 11, next);
    EXPECT_EQ(summary(scene), "unsynced_lanes 10 11");
}

TEST(Races, volatile_does_not_synchronise_lanes) {
    Scene scene(1, 32);
    scene.shared(w0, volatile_store, 10, own);
    scene.shared({0, 0, 0xffff}, volatile_load, 11, next);
    EXPECT_EQ(summary(scene), "unsynced_lanes 10 11");
}

TEST(Races, syncwarp_synchronises_lanes) {
    Scene scene(1, 32);
    scene.shared(w0, store, 10, own);
    scene.meet(w0);
    scene.shared({0, 0, 0xffff}, load, 11, next);
    EXPECT_EQ(summary(scene), "");
}

TEST(Races, syncwarp_synchronises_the_lanes_of_its_mask_only) {
    Scene scene(1, 32);
    scene.shared(w0, store, 10, own);
    scene.meet({0, 0, 0xff});
    scene.shared({0, 0, 0x0f}, load, 11, next);
    scene.shared({0, 0, 0x80}, load, 12, next);  // lane 7 reads what lane 8 wrote
    EXPECT_EQ(summary(scene), "unsynced_lanes 10 12");
}

TEST(Races, what_lanes_know_of_others_goes_on_through_a_partial_meeting) {
    Scene scene(1, 32);
    scene.shared({0, 0, 1}, store, 10, own);
    scene.meet({0, 0, 3});
    scene.meet({0, 0, 6});
    scene.shared({0, 0, 4}, load, 11, [](unsigned) { return 0; });
    scene.shared({0, 0, 8}, load, 12, [](unsigned) { return 0; });
    EXPECT_EQ(summary(scene), "race 10 12");
}

TEST(Races, lanes_that_diverged_race) {
    Scene scene(1, 32);
    scene.shared(t0, store, 10, own);
    scene.shared(t1, load, 11, [](unsigned) { return 0; });
    EXPECT_EQ(summary(scene), "race 10 11");
}

// Returns the problems of a trace in which lanes 0 and 1 store to one cell at once.
std::string one_cell(std::uint32_t first_value, std::uint32_t second_value) {
    Scene scene(1, 32);
    const std::array<std::uint64_t, 32> offsets{64, 64};
    const std::array<std::uint32_t, 32> before{0, first_value}, after{first_value, second_value};
    scene.recorder.begin_turn(0, 0, 3, store, 11, 0);
    scene.recorder.access(AccessKind::store, Space::shared, store, 0, 4, 3, offsets.data(),
                          reinterpret_cast<const std::byte*>(before.data()),
                          reinterpret_cast<const std::byte*>(after.data()), nullptr);
    scene.recorder.end_turn(TurnEnd::step, 1);
    return summary(scene);
}

TEST(Races, two_lanes_of_one_store) {
    EXPECT_EQ(one_cell(7, 8), "race 11 11");
    EXPECT_EQ(one_cell(7, 7), "(race 11 11)");
}

TEST(Races, lockstep_that_hands_nothing_over_makes_nothing_right) {
    Scene scene(1, 32);  // both lanes read, then both write: a lost update
    scene.shared({0, 0, 3}, load, 10, [](unsigned) { return 5; });
    scene.shared(
        {0, 0, 3}, store, 11, [](unsigned) { return 5; }, 1);
    const std::vector<Problem> found = races(scene);
    ASSERT_EQ(found.size(), 1u);  // writing the same value twice gives no further note
    EXPECT_EQ(found[0].kind, ProblemKind::race);
    EXPECT_EQ(found[0].first.line, 10u);
    EXPECT_EQ(found[0].second.line, 11u);
}

TEST(Races, lanes_that_collide_are_not_put_right_by_lockstep) {
    Scene scene(1, 32);  // two rounds of a count without atomics
    for (int round = 0; round < 2; ++round) {
        scene.shared({0, 0, 3}, load, 10, [](unsigned) { return 5; });
        scene.shared(
            {0, 0, 3}, store, 10, [](unsigned) { return 5; }, 1);
    }
    EXPECT_EQ(summary(scene), "race 10 10");
}

TEST(Races, the_same_value_from_two_blocks_is_a_note) {
    Scene scene(2, 32);
    scene.global(t0, store, 10, 3, 42);
    scene.global(other_block, store, 10, 3, 42);
    const std::vector<Problem> found = races(scene);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].note);
    EXPECT_EQ(found[0].message,
              "line 10: thread 0 of block 1 writes x[3], which thread 0 of block 0 wrote there, the "
              "same value; nothing orders the two");
}

TEST(Races, what_a_thread_reads_before_it_writes_the_same_value) {
    Scene scene(2, 32);
    scene.global(t0, store, 9, 3, 1);
    scene.global(t0, load, 10, 3);
    scene.global(t0, store, 11, 3, 0);
    scene.global(other_block, store, 12, 3, 0);
    EXPECT_EQ(summary(scene), "race 10 12");
}

TEST(Races, what_a_thread_reads_before_its_own_atomic) {
    Scene scene(2, 32);
    scene.global(t0, load, 10, 3);
    scene.global(t0, atomic, 11, 3);
    scene.global(other_block, atomic, 12, 3);
    EXPECT_EQ(summary(scene), "race 10 12");
}

TEST(Races, a_compare_and_swap_checks_what_its_thread_read) {
    Scene scene(2, 32);
    scene.global(t0, load, 10, 3);
    scene.global(t0, swap_if, 11, 3, 5);
    scene.global(other_block, atomic, 12, 3);
    EXPECT_EQ(summary(scene), "");
}

TEST(Races, a_read_that_a_barrier_orders_before_both_writes) {
    Scene scene(1, 64);
    scene.global(t0, store, 9, 3, 1);
    scene.global(t0, load, 10, 3);
    scene.barrier(0);
    scene.global(t0, store, 11, 3, 0);
    scene.global(t32, store, 12, 3, 0);
    EXPECT_EQ(summary(scene), "(race 11 12)");
}

TEST(Races, threads_that_read_what_all_of_them_wrote) {
    Scene scene(3, 32);
    const Scene::Who third{2, 0, 1};
    for (const Scene::Who who : {t0, other_block})
        scene.global(who, store, 10, 3, 1);
    for (const Scene::Who who : {t0, other_block})
        scene.global(who, load, 11, 3);
    EXPECT_EQ(summary(scene), "(race 10 10), (race 10 11)");
    Scene one_after_the_other(2, 32);
    for (const Scene::Who who : {t0, other_block}) {
        one_after_the_other.global(who, store, 10, 3, 1);
        one_after_the_other.global(who, load, 11, 3);
    }
    EXPECT_EQ(summary(one_after_the_other), "(race 10 10), (race 11 10)");
    Scene with_a_reader(3, 32);
    for (const Scene::Who who : {t0, other_block})
        with_a_reader.global(who, store, 10, 3, 1);
    with_a_reader.global(third, load, 11, 3);  // which wrote nothing
    EXPECT_EQ(summary(with_a_reader), "race 10 11");
}

TEST(Races, a_value_that_is_there_by_chance_makes_no_read_right) {
    Scene scene(2, 32);
    scene.global(t0, load, 10, 3);
    scene.global(other_block, store, 11, 3, 0);
    EXPECT_EQ(summary(scene), "race 10 11");
}

TEST(Races, a_barrier_is_no_acquire_from_another_block) {
    const auto total = [](bool before_barrier, bool after_barrier) {
        Scene scene(2, 64);
        scene.global(t0, store, 10, 0);
        scene.fence(t0);
        scene.global(t0, atomic, 11, 100);
        scene.global(other_block, atomic, 12, 100);
        if (before_barrier) scene.fence(other_block);
        scene.barrier(1);
        const Scene::Who reader{1, 1, 1};
        if (after_barrier) scene.fence(reader);
        scene.global(reader, load, 13, 0);
        return summary(scene);
    };
    EXPECT_EQ(total(false, false), "(race 10 13)");
    EXPECT_EQ(total(true, false), "");
    EXPECT_EQ(total(false, true), "");
}

TEST(Races, volatile_data_behind_a_volatile_flag) {
    const auto read = [](bool writer_fence, bool reader_fence, bool reads_flag) {
        Scene scene(2, 32);
        scene.global(t0, volatile_store, 10, 0);
        if (writer_fence) scene.fence(t0);
        scene.global(t0, volatile_store, 11, 100);
        if (reads_flag) scene.global(other_block, volatile_load, 12, 100);
        if (reader_fence) scene.fence(other_block);
        scene.global(other_block, volatile_load, 13, 0);
        return races(scene);
    };
    const std::vector<Problem> found = read(false, false, true);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].note);
    EXPECT_EQ(found[0].first.line, 10u);
    EXPECT_EQ(found[0].second.line, 13u);
    EXPECT_NE(found[0].message.find("in line 11 afterwards"), std::string::npos) << found[0].message;
    EXPECT_EQ(read(true, false, true).size(), 1u);
    EXPECT_EQ(read(false, true, true).size(), 1u);
    EXPECT_TRUE(read(true, true, true).empty());
    EXPECT_TRUE(read(false, false, false).empty());  // no signal that could mean an order
}

TEST(Races, what_threads_did_before_and_what_would_order_them) {
    using Kind = SyncPoint::Kind;
    Scene blocks(2, 64);
    blocks.barrier(0);
    blocks.global(t0, store, 10, 0);
    blocks.fence(other_block, FenceScope::system);
    blocks.global(other_block, load, 11, 0);
    const std::vector<Problem> apart = races(blocks);
    ASSERT_EQ(apart.size(), 1u);
    EXPECT_EQ(apart[0].before_first.kind, Kind::barrier);
    EXPECT_EQ(apart[0].before_second.kind, Kind::fence);
    EXPECT_EQ(apart[0].before_second.scope, FenceScope::system);
    EXPECT_EQ(apart[0].before_second.line, 50u);
    EXPECT_NE(apart[0].remedy.find("__threadfence() and an atomic write behind line 10"), std::string::npos)
        << apart[0].remedy;

    Scene block(1, 64);
    block.shared(w1, store, 10, own);
    block.global(t0, atomic, 12, 7);
    block.shared(t0, load, 11, own);
    const std::vector<Problem> one = races(block);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one[0].before_first.kind, Kind::nothing);
    EXPECT_EQ(one[0].before_second.kind, Kind::atomic);
    EXPECT_EQ(one[0].before_second.line, 12u);
    EXPECT_EQ(one[0].remedy,
              "__syncthreads() between line 10 and line 11, which all threads of the block reach");

    Scene warp(1, 32);
    warp.meet(w0);
    warp.shared(w0, store, 10, own);
    warp.shared({0, 0, 0xffff}, load, 11, next);
    const std::vector<Problem> lanes = races(warp);
    ASSERT_EQ(lanes.size(), 1u);
    EXPECT_EQ(lanes[0].before_first.kind, Kind::syncwarp);
    EXPECT_EQ(lanes[0].remedy, "__syncwarp() between line 10 and line 11");
}

TEST(Races, a_lane_that_overwrites_what_another_has_read) {
    Scene scene(1, 32);
    scene.shared(w0, load, 10, next);
    scene.shared(w0, store, 11, own);
    EXPECT_EQ(summary(scene), "unsynced_lanes 10 11");
}

TEST(Races, a_different_value_later_makes_the_note_a_race) {
    Scene scene(3, 32);
    scene.global(t0, store, 10, 3, 42);
    scene.global(other_block, store, 10, 3, 42);
    scene.global({2, 0, 1}, store, 10, 3, 43);
    EXPECT_EQ(summary(scene), "race 10 10");
}

TEST(Races, a_lockstep_pair_is_a_part_of_the_race_for_the_same_variable) {
    Scene scene(1, 64);
    scene.shared(w1, store, 10, [](unsigned lane) { return 32 + lane; });
    scene.shared(w0, store, 10, own);
    scene.shared(w0, load, 11, next);
    const std::vector<Problem> found = races(scene);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, ProblemKind::race);
    EXPECT_EQ(found[0].second.thread, 31u);
    EXPECT_EQ(found[0].occurrences, 32u);
}

TEST(Races, bytes_of_one_word_are_apart) {
    Scene scene(3, 32);
    scene.global(t0, store, 10, 0);
    scene.barrier(0);
    scene.byte({0, 0, 1}, 11, 8);
    scene.byte({1, 0, 1}, 12, 9);
    scene.byte({2, 0, 1}, 13, 9);
    EXPECT_EQ(summary(scene), "(race 12 13)");
}

TEST(Races, a_byte_in_a_word_that_was_written_whole) {
    Scene scene(2, 32);
    scene.global(t0, store, 10, 0);
    scene.byte({1, 0, 1}, 11, 2);
    EXPECT_EQ(summary(scene), "race 10 11");
}

TEST(Races, launches_follow_each_other) {
    Scene scene(2, 32);
    scene.global(t0, store, 10, 0);
    scene.next_launch();
    scene.global(other_block, load, 11, 0);
    EXPECT_EQ(summary(scene), "");
}

TEST(Races, a_named_barrier_orders_those_who_came) {
    Scene scene(1, 96);
    const Scene::Who w2{0, 2, all};
    scene.shared(w0, store, 10, own);
    scene.arrive(w0, 1);
    scene.wait(w1, 1);
    scene.open(0, 1);
    scene.shared(w1, load, 11, own);
    scene.shared(w2, load, 12, own);
    EXPECT_EQ(summary(scene), "race 10 12");
}

TEST(Races, the_clusters_barrier_orders_those_who_arrive_and_wait) {
    Scene scene(1, 64);
    scene.shared(w0, store, 10, own);
    scene.arrive(w0, 16);
    scene.wait(w0, 16);
    scene.arrive(w1, 16);
    scene.open(0, 16);
    scene.wait(w1, 16);  // passes
    scene.shared(w1, load, 11, own);
    EXPECT_EQ(summary(scene), "");
}

constexpr Scene::Who b1{1, 0, all};  // the warp of block 1

TEST(Races, blocks_of_a_cluster_meet_in_shared_memory) {
    Scene scene(2, 32, 2);
    scene.shared(w0, store, 10, own);
    scene.remote(b1, 0, load, 11, own);
    const std::vector<Problem> found = races(scene);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(
        found[0].message,
        "line 11: thread 0 of block 1 reads s[0] of block 0, which thread 0 of block 0 wrote in line 10; "
        "no barrier of the cluster stands between (cluster.sync())");
    EXPECT_EQ(found[0].space, Space::shared);
    EXPECT_EQ(found[0].occurrences, 32u);
}

TEST(Races, the_same_cell_of_other_blocks_is_another_place) {
    Scene scene(4, 32, 2);
    scene.shared(w0, store, 10, own);
    scene.remote({3, 0, all}, 2, load, 11, own);
    scene.remote(b1, 0, load, 12, next);
    scene.shared(b1, store, 13, own);
    EXPECT_EQ(summary(scene), "race 10 12");
}

TEST(Races, the_clusters_barrier_orders_its_blocks) {
    Scene scene(4, 64, 2);
    scene.shared(w0, store, 10, own);
    scene.shared({2, 0, all}, store, 10, own);
    scene.cluster_barrier({0, 1});
    scene.remote({1, 1, all}, 0, load, 11, own);
    scene.remote({3, 0, all}, 2, load, 12, own);  // of the other cluster, which has not met
    EXPECT_EQ(summary(scene), "race 10 12");
}

TEST(Races, what_follows_the_arrival_is_not_handed_on) {
    Scene scene(2, 32, 2);
    scene.shared(w0, store, 10, own);
    scene.arrive(w0, 16);
    scene.shared(w0, store, 11, [](unsigned lane) { return 32 + lane; });
    scene.wait(w0, 16);
    scene.arrive(b1, 16);
    scene.wait(b1, 16);
    scene.open(0, 16);
    scene.open(1, 16);
    scene.remote(b1, 0, load, 12, own);
    scene.remote(b1, 0, load, 13, [](unsigned lane) { return 32 + lane; });
    EXPECT_EQ(summary(scene), "race 11 13");
}

TEST(Races, who_has_arrived_learns_when_it_waits) {
    Scene scene(2, 32, 2);
    scene.shared(w0, store, 10, own);
    scene.arrive(b1, 16);
    scene.arrive(w0, 16);
    scene.open(0, 16);
    scene.open(1, 16);
    scene.remote(b1, 0, load, 11, own);
    scene.wait(b1, 16);
    scene.remote(b1, 0, load, 12, own);
    EXPECT_EQ(summary(scene), "race 10 11");
}

TEST(Races, a_relaxed_arrival_hands_on_what_a_fence_covers) {
    for (const bool fenced : {false, true}) {
        Scene scene(2, 32, 2);
        scene.shared(w0, store, 10, own);
        if (fenced) scene.fence(w0, FenceScope::cluster);
        scene.arrive_relaxed(w0);
        scene.wait(w0, 16);
        scene.arrive(b1, 16);
        scene.wait(b1, 16);
        scene.open(0, 16);
        scene.open(1, 16);
        scene.remote(b1, 0, load, 11, own);
        EXPECT_EQ(summary(scene), fenced ? "" : "race 10 11");
    }
}

TEST(Races, what_a_block_knows_goes_on_through_the_cluster) {
    Scene scene(2, 64, 2);
    scene.shared(w1, store, 10, own);
    scene.barrier(0);
    scene.cluster_barrier({0, 1});
    scene.remote({1, 1, all}, 0, store, 11, own);
    scene.cluster_barrier({0, 1});
    scene.shared(w0, load, 12, own);
    scene.remote(b1, 0, load, 13, own);
    scene.cluster_barrier({0, 1});
    scene.shared(w1, store, 14, own);
    EXPECT_EQ(summary(scene), "");
}

TEST(Races, shared_memory_of_an_ended_block_is_still_compared) {
    Scene scene(2, 32, 2);
    scene.shared(w0, store, 10, own);
    scene.exit(w0);
    scene.remote(b1, 0, load, 11, own);
    EXPECT_EQ(summary(scene), "race 10 11");
}

TEST(Races, a_block_must_not_end_before_others_have_read) {
    for (const bool waits : {false, true}) {
        Scene scene(2, 64, 2);
        scene.shared(w0, store, 10, own);
        scene.cluster_barrier({0, 1});
        scene.remote(b1, 0, load, 11, own);
        scene.remote(b1, 0, load, 11, next);
        if (waits) scene.cluster_barrier({0, 1});
        scene.exit(w0);
        scene.exit(w1);
        const std::vector<Problem> found = races(scene);
        ASSERT_EQ(found.size(), waits ? 0u : 1u);
        if (waits) continue;
        EXPECT_EQ(found[0].kind, ProblemKind::out_of_bounds);
        EXPECT_EQ(found[0].first.line, 11u);
        EXPECT_EQ(found[0].first.turn, 10u);
        EXPECT_EQ(found[0].second.line, 99u);
        EXPECT_EQ(found[0].occurrences, 32u);
        EXPECT_EQ(found[0].message,
                  "line 11: thread 0 of block 1 reads s[1] of block 0, which may have ended by then: block 0 "
                  "does not wait for it (cluster.sync() before the end)");
    }
}

TEST(Races, an_atomic_of_cluster_scope_does_not_hold_across_clusters) {
    Scene scene(4, 32, 2);
    scene.global({0, 0, 1}, cluster_atomic, 10, 0);
    scene.global({1, 0, 1}, cluster_atomic, 11, 0);
    scene.global({2, 0, 1}, cluster_atomic, 12, 0);
    EXPECT_EQ(summary(scene), "race 11 12, race 10 12");
}

TEST(Races, who_only_arrives_learns_nothing) {
    Scene scene(1, 96);
    scene.shared(w1, store, 10, own);
    scene.arrive(w0, 1);
    scene.wait(w1, 1);
    scene.open(0, 1);
    scene.shared(w0, load, 11, own);
    EXPECT_EQ(summary(scene), "race 10 11");
}

// --- atomics, fences, flags --------------------------------------------------------------------------------

TEST(Races, atomics_do_not_race) {
    Scene scene(2, 32);
    scene.global(w0, atomic, 10, 0);
    scene.global({1, 0, all}, atomic, 10, 0);
    EXPECT_EQ(summary(scene), "");
}

TEST(Races, an_atomic_of_block_scope_does_not_hold_across_blocks) {
    Scene scene(2, 64);
    scene.global(t0, block_atomic, 10, 0);
    scene.global(t32, block_atomic, 11, 0);
    scene.global(other_block, block_atomic, 12, 0);
    EXPECT_EQ(summary(scene), "race 11 12, race 10 12");
}

TEST(Races, a_plain_access_beside_an_atomic) {
    Scene scene(2, 32);
    scene.global(t0, atomic, 10, 0);
    scene.global(other_block, load, 11, 0);
    EXPECT_EQ(summary(scene), "race 10 11");
}

TEST(Races, a_threads_own_atomic_does_not_hide_its_plain_store) {
    Scene scene(1, 64);
    scene.shared(t0, store, 10, [](unsigned) { return 0; });
    scene.shared(t0, atomic, 11, [](unsigned) { return 0; });
    scene.shared(t32, atomic, 11, [](unsigned) { return 0; });
    EXPECT_EQ(summary(scene), "race 10 11");
}

TEST(Races, a_threads_own_volatile_load_does_not_hide_its_plain_load) {
    Scene scene(1, 64);
    scene.shared(t0, load, 10, [](unsigned) { return 0; });
    scene.shared(t0, volatile_load, 11, [](unsigned) { return 0; });
    scene.shared(t32, atomic, 12, [](unsigned) { return 0; });
    EXPECT_EQ(summary(scene), "race 10 12");
}

TEST(Races, all_atomics_before_a_plain_read_count) {
    Scene scene(3, 32);
    scene.global(t0, atomic, 10, 0);
    scene.global(other_block, atomic, 11, 0);
    scene.barrier(1);
    scene.global(other_block, load, 12, 0);
    EXPECT_EQ(summary(scene), "race 10 12");
}

TEST(Races, a_read_that_a_compare_and_swap_checks) {
    Scene scene(2, 32);
    scene.global(t0, load, 10, 0);
    scene.global(other_block, load, 10, 0);
    scene.global(t0, swap_if, 11, 0);
    scene.global(other_block, swap_if, 11, 0);
    EXPECT_EQ(summary(scene), "");
}

// Returns the problems of a trace in which block 0 writes and signals, and block 1 sees the signal and reads.
std::string hand_over(Instruction signal, bool release, Instruction look, bool acquire,
                      FenceScope scope = FenceScope::gpu) {
    Scene scene(2, 32);
    scene.global(t0, store, 10, 0);
    if (release) scene.fence(t0, scope);
    scene.global(t0, signal, 11, 100);
    scene.global(other_block, look, 12, 100);
    if (acquire) scene.fence(other_block, scope);
    scene.global(other_block, load, 13, 0);
    return summary(scene);
}

TEST(Races, a_flag_with_fences_on_both_sides) {
    EXPECT_EQ(hand_over(volatile_store, true, volatile_load, true), "");
    EXPECT_EQ(hand_over(relaxed_store, true, relaxed_load, true), "");
    EXPECT_EQ(hand_over(atomic, true, atomic, true), "");
    EXPECT_EQ(hand_over(release_store, false, acquire_load, false), "");
    EXPECT_EQ(hand_over(acq_rel_atomic, false, acq_rel_atomic, false), "");
}

TEST(Races, a_flag_with_a_fence_missing) {
    EXPECT_EQ(hand_over(volatile_store, false, volatile_load, true), "race 10 13");
    EXPECT_EQ(hand_over(volatile_store, true, volatile_load, false), "race 10 13");
    EXPECT_EQ(hand_over(atomic, false, atomic, true), "race 10 13");
    EXPECT_EQ(hand_over(relaxed_store, true, acquire_load, false), "");
}

TEST(Races, a_fence_of_the_block_does_not_reach_another_block) {
    EXPECT_EQ(hand_over(volatile_store, true, volatile_load, true, FenceScope::block), "race 10 13");
}

TEST(Races, a_plain_flag_is_itself_a_race) {
    EXPECT_EQ(hand_over(store, true, load, true), "race 11 12, race 10 13");
}

TEST(Races, a_missing_fence_of_the_reader_is_named) {
    Scene scene(2, 32);
    scene.global(t0, store, 10, 0);
    scene.fence(t0);
    scene.global(t0, atomic, 11, 100);
    scene.global(other_block, atomic, 12, 100);
    scene.global(other_block, load, 13, 0);
    const std::vector<Problem> found = races(scene);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].message.find("no __threadfence() follows"), std::string::npos) << found[0].message;
}

TEST(Races, what_is_written_after_the_fence_is_not_handed_on) {
    Scene scene(2, 32);
    scene.fence(t0);
    scene.global(t0, store, 10, 0);
    scene.global(t0, atomic, 11, 100);
    scene.global(other_block, atomic, 12, 100);
    scene.fence(other_block);
    scene.global(other_block, load, 13, 0);
    EXPECT_EQ(summary(scene), "race 10 13");
}

TEST(Races, a_chain_of_atomics_hands_on) {
    Scene scene(3, 32);
    scene.global(t0, store, 10, 0);
    scene.fence(t0);
    scene.global(t0, atomic, 11, 100);
    scene.global(other_block, atomic, 11, 100);  // without fences
    scene.global({2, 0, 1}, atomic, 11, 100);
    scene.fence({2, 0, 1});
    scene.global({2, 0, 1}, load, 13, 0);
    EXPECT_EQ(summary(scene), "");
}

TEST(Races, a_plain_store_ends_what_the_flag_handed_on) {
    Scene scene(3, 32);
    scene.global(t0, store, 10, 0);
    scene.fence(t0);
    scene.global(t0, relaxed_store, 11, 100);
    scene.global(other_block, relaxed_store, 12, 100);
    scene.global({2, 0, 1}, relaxed_load, 13, 100);
    scene.fence({2, 0, 1});
    scene.global({2, 0, 1}, load, 14, 0);
    EXPECT_EQ(summary(scene), "race 10 14");
}

// Returns the problems of a trace in which the last block to count sums the values of all other threads.
std::string last_block(bool fence, bool barrier, bool acquires = false) {
    Scene scene(3, 64);
    for (std::uint32_t block = 0; block < 3; ++block) {
        for (std::uint16_t warp = 0; warp < 2; ++warp) {
            const Scene::Who who{block, warp, all};
            scene.global(who, store, 10, [&](unsigned lane) { return 64 * block + 32 * warp + lane; });
            if (fence) scene.fence(who);
        }
        if (barrier) scene.barrier(block);
        scene.global({block, 0, 1}, atomic, 11, 1000);
        if (acquires) scene.fence({block, 0, 1});
        scene.barrier(block);
    }
    scene.global({2, 1, all}, load, 12, own);
    scene.global({2, 0, all}, load, 12, [](unsigned lane) { return 64 + lane; });
    scene.global({2, 0, 1}, store, 13, 1000);  // resets the counter for the next launch
    return summary(scene);
}

TEST(Races, the_last_block_pattern) {
    EXPECT_EQ(last_block(true, true, true), "");
    EXPECT_EQ(last_block(true, true), "(race 10 12), (race 11 13)");  // no fence between signal and sum
    EXPECT_EQ(last_block(false, true), "race 10 12, race 11 13");
}

TEST(Races, the_last_block_pattern_without_its_barrier) {
    Scene scene(2, 64);
    const Scene::Who other_warp{0, 1, all};
    scene.global(other_warp, store, 10, own);
    scene.fence(other_warp);
    scene.fence(t0);
    scene.global(t0, atomic, 11, 1000);
    scene.global(other_block, atomic, 11, 1000);
    scene.fence(other_block);
    scene.global(other_block, load, 12, 0);
    EXPECT_EQ(summary(scene), "race 10 12");
}

TEST(Races, a_spin_lock) {
    const auto locked = [](bool fences) {
        Scene scene(3, 32);
        for (std::uint32_t block = 0; block < 3; ++block) {
            const Scene::Who who{block, 0, 1};
            scene.global(who, swap_if, 10, 100);
            if (fences) scene.fence(who);
            scene.global(who, load, 11, 0);
            scene.global(who, store, 11, 0, block + 1);
            if (fences) scene.fence(who);
            scene.global(who, atomic, 12, 100, 0);
        }
        return summary(scene);
    };
    EXPECT_EQ(locked(true), "");
    EXPECT_EQ(locked(false), "race 11 11");
}

TEST(Races, a_chain_of_blocks_hands_on_what_came_before) {
    Scene scene(6, 32);
    for (std::uint32_t block = 0; block < 6; ++block) {
        const Scene::Who who{block, 0, 1};
        if (block > 0) {
            scene.global(who, volatile_load, 10, 100 + block - 1);
            scene.fence(who);
            scene.global(who, load, 11, 0);  // the first block's value
        } else {
            scene.global(who, store, 9, 0);
        }
        scene.fence(who);
        scene.global(who, volatile_store, 12, 100 + block);
    }
    EXPECT_EQ(summary(scene), "");
}

TEST(Races, too_little_memory_is_said) {
    Scene scene(2, 32);
    for (std::uint64_t cell = 0; cell < 1024; cell += 64)
        scene.global(t0, store, 10, cell);
    const RaceReport report = report_of(scene, {4096, 100});
    EXPECT_FALSE(report.complete);
    EXPECT_NE(report.incomplete.find("not looked for everywhere"), std::string::npos);
}

TEST(Races, the_search_can_be_cancelled) {
    Scene scene(2, 32);
    scene.global(t0, store, 10, 0);
    scene.global(other_block, load, 11, 0);
    const std::atomic<bool> cancelled = true;
    const RaceReport report = report_of(scene, {}, &cancelled);
    EXPECT_TRUE(report.problems.empty());
    EXPECT_FALSE(report.complete);
}

TEST(Races, the_number_of_problems_is_bounded) {
    Scene scene(2, 32);
    for (std::uint32_t i = 0; i < 20; ++i) {
        scene.global(t0, store, 100 + i, i);
        scene.global(other_block, load, 200 + i, i);
    }
    EXPECT_EQ(report_of(scene, {1 << 20, 5}).problems.size(), 5u);
}

}  // namespace races_test
}  // namespace lanescope::analysis
