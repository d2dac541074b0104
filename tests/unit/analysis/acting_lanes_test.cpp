// Which lanes did more than evaluate a condition.
#include "analysis/acting_lanes.h"

#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace acting_lanes_test {

class ActingLanes : public testing::Test {
  protected:
    trace::TurnDetail& turn(trace::Mask mask, trace::TurnEnd end = trace::TurnEnd::step,
                            std::uint16_t warp = 0) {
        trace::Turn made;
        made.mask = mask;
        made.end = end;
        made.warp = warp;
        trace_.turns.push_back(made);
        step_.emplace_back();
        step_.back().turn = trace_.turns.size() - 1;
        return step_.back();
    }
    static trace::Access access(trace::AccessKind kind, trace::Mask mask) {
        trace::Access made;
        made.kind = kind;
        made.space = trace::Space::shared;
        made.mask = mask;
        return made;
    }
    trace::Mask acted(std::uint32_t warp = 0) const { return acting_lanes(trace_, step_, warp); }

    trace::Trace trace_;
    std::vector<trace::TurnDetail> step_;
};

TEST_F(ActingLanes, the_body_of_an_if_on_the_same_line) {
    turn(0xff, trace::TurnEnd::warp_sync);
    turn(0xff, trace::TurnEnd::diverged);
    turn(0x11);
    EXPECT_EQ(acted(), 0x11u);
}

TEST_F(ActingLanes, both_branches_on_one_line) {
    turn(0xff, trace::TurnEnd::diverged);
    turn(0x0f);
    turn(0xf0);
    EXPECT_EQ(acted(), 0xffu);
}

TEST_F(ActingLanes, a_condition_alone_is_what_all_lanes_do) {
    turn(0xff, trace::TurnEnd::diverged);
    EXPECT_EQ(acted(), 0xffu);
}

TEST_F(ActingLanes, a_lane_that_changed_a_variable_before_the_branch) {
    turn(0xff, trace::TurnEnd::diverged).changes.push_back({0, 0, 0x80});
    turn(0x01);
    EXPECT_EQ(acted(), 0x81u);
}

TEST_F(ActingLanes, predicated_stores) {
    trace::TurnDetail& detail = turn(0xff);
    detail.accesses.push_back(access(trace::AccessKind::load, 0xff));
    detail.accesses.push_back(access(trace::AccessKind::store, 0x03));
    EXPECT_EQ(acted(), 0x03u);
    detail.changes.push_back({0, 0, 0x10});
    EXPECT_EQ(acted(), 0x13u);
}

TEST_F(ActingLanes, lanes_that_only_meet_the_others_again) {
    turn(0x01).accesses.push_back(access(trace::AccessKind::store, 0x01));
    turn(0xff);
    trace_.turns.back().instructions = 1;  // a jump
    EXPECT_EQ(acted(), 0x01u);
    trace_.turns.back().instructions = 2;
    EXPECT_EQ(acted(), 0xffu);
}

TEST_F(ActingLanes, loads_alone_do_not_tell_lanes_apart) {
    turn(0xff).accesses.push_back(access(trace::AccessKind::load, 0x03));
    EXPECT_EQ(acted(), 0xffu);
}

// A problem names one thread, and says how often it occurred.
TEST_F(ActingLanes, every_lane_of_an_access_that_failed_in_several) {
    turn(0xff).accesses.push_back(access(trace::AccessKind::store, 0x0f));
    trace::Problem problem;
    problem.first.turn = 0;
    problem.first.thread = 4;
    problem.first.has_access = true;
    problem.occurrences = 1;
    trace_.problems = {problem};
    EXPECT_EQ(acted(), 0x1fu);
    trace_.problems.front().occurrences = 4;
    EXPECT_EQ(acted(), 0xffu);
}

TEST_F(ActingLanes, other_warps_do_not_count) {
    turn(0xff, trace::TurnEnd::step, 0);
    turn(0x0f, trace::TurnEnd::diverged, 1);
    turn(0x01, trace::TurnEnd::step, 1);
    EXPECT_EQ(acted(0), 0xffu);
    EXPECT_EQ(acted(1), 0x01u);
    EXPECT_EQ(acted(2), 0u);
}

}  // namespace acting_lanes_test
}  // namespace lanescope::analysis
