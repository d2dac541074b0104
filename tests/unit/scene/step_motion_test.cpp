// When values travel, and how far they are.
#include "scene/stage/step_motion.h"

#include <gtest/gtest.h>

namespace lanescope::scene {
namespace step_motion_test {

StepMotion::Shown at(std::size_t step, bool before = false) {
    return {1, 40, step, 0, before};
}

TEST(StepMotion, values_leave_slowly_and_arrive_slowly) {
    EXPECT_EQ(travelled(0), 0);
    EXPECT_DOUBLE_EQ(travelled(travel_s / 2), 0.5);
    EXPECT_EQ(travelled(travel_s), 1);
    EXPECT_EQ(travelled(no_motion), 1);
    EXPECT_LT(travelled(0.1 * travel_s), 0.05);
    for (double t = 0; t < travel_s; t += 0.01)
        EXPECT_LT(travelled(t), travelled(t + 0.01));
}

TEST(StepMotion, new_values_appear_when_they_arrive) {
    EXPECT_EQ(faded_in(0), 0);
    EXPECT_EQ(faded_in(travel_s), 0);
    EXPECT_NEAR(faded_in((travel_s + motion_s) / 2), 0.5, 1e-9);
    EXPECT_EQ(faded_in(motion_s), 1);
    EXPECT_EQ(faded_in(no_motion), 1);
}

TEST(StepMotion, one_step_forward_moves_and_ends) {
    StepMotion motion;
    motion.show(at(3), 10, true);
    EXPECT_EQ(motion.age(10), no_motion) << "the first step that is shown";
    motion.show(at(4), 11, true);
    EXPECT_EQ(motion.age(11), 0);
    motion.show(at(4), 11.1, true);
    EXPECT_NEAR(motion.age(11.1), 0.1, 1e-9);
    EXPECT_EQ(motion.age(11 + motion_s + 0.001), no_motion);
}

TEST(StepMotion, other_moves_do_not) {
    StepMotion motion;
    motion.show(at(3), 10, true);
    motion.show(at(2), 11, true);
    EXPECT_EQ(motion.age(11), no_motion) << "back";
    motion.show(at(9), 12, true);
    EXPECT_EQ(motion.age(12), no_motion) << "a seek";
    motion.show({2, 40, 10, 0, false}, 13, true);
    EXPECT_EQ(motion.age(13), no_motion) << "another run";
    motion.show({2, 41, 11, 0, false}, 14, true);
    EXPECT_EQ(motion.age(14), no_motion) << "another granularity";
    motion.show({2, 41, 12, 0, false}, 15, false);
    EXPECT_EQ(motion.age(15), no_motion) << "motion is off";
    motion.show({2, 41, 13, 0, true}, 16, true);
    EXPECT_EQ(motion.age(16), no_motion) << "the state before the step";
}

TEST(StepMotion, results_that_are_revealed_move) {
    StepMotion motion;
    motion.show(at(3, true), 10, true);
    motion.show(at(3), 11, true);
    EXPECT_EQ(motion.age(11), 0);
}

TEST(StepMotion, fast_steps_do_not) {
    StepMotion motion;
    motion.show(at(3), 10, true);
    motion.show(at(4), 11, true);
    EXPECT_EQ(motion.age(11), 0);
    motion.show(at(5), 11 + fast_step_s / 2, true);
    EXPECT_EQ(motion.age(11 + fast_step_s / 2), no_motion) << "and the motion before it ends";
    motion.show(at(6), 11 + fast_step_s, true);
    EXPECT_EQ(motion.age(11 + fast_step_s), no_motion);
    motion.show(at(7), 12, true);
    EXPECT_EQ(motion.age(12), 0);
}

}  // namespace step_motion_test
}  // namespace lanescope::scene
