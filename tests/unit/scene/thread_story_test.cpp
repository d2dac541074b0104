// What a step does in one thread, in words.
#include <gtest/gtest.h>

#include "scene/stage/cell_words.h"
#include "scene/words/block_words.h"

namespace lanescope::scene {
namespace thread_story_test {

class ThreadStory : public testing::Test {
  protected:
    void SetUp() override {
        const std::filesystem::path kernels = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels";
        session_ = std::make_unique<session::Session>(kernels);
        session_->apply(session::OpenFile{kernels / "reduction" / "modulo.cu"});
        ASSERT_TRUE(session_->wait()) << to_text(session_->diagnostics());
        session_->apply(session::SeekStep{12});  // s[2 * t] += s[2 * t + stride], stride 2
    }
    std::unique_ptr<session::Session> session_;
};

TEST_F(ThreadStory, operands_and_result) {
    EXPECT_EQ(thread_story(*session_, 0), "t0 reads s[2] = 11, s[0] = 8 · writes s[0]: 8 → 19");
    EXPECT_EQ(thread_story(*session_, 1), thread_story(*session_, 0)) << "t1 takes no part";
    session_->apply(session::ShowBefore{true});
    EXPECT_EQ(thread_story(*session_, 0), "t0 reads s[2] = 11, s[0] = 8 · writes s[0]: 8 → 19");
}

TEST_F(ThreadStory, operands_stay_visible_while_results_are_hidden) {
    session_->apply(session::HideResults{true});
    session_->apply(session::SeekStep{12});
    EXPECT_EQ(thread_story(*session_, 0), "t0 reads s[2] = 11, s[0] = 8 · writes s[0]: 8 → ?");
}

TEST_F(ThreadStory, a_cell_without_a_value_has_no_old_one) {
    session_->apply(session::SeekStep{3});  // s[t] = i < n ? in[i] : 0
    EXPECT_EQ(thread_story(*session_, 0), "t0 reads in[0] = 3 · writes s[0] = 3");
}

TEST_F(ThreadStory, a_step_without_accesses) {
    session_->apply(session::SeekStep{11});
    EXPECT_EQ(thread_story(*session_, 0), "");
}

TEST_F(ThreadStory, the_heading_names_the_moment) {
    EXPECT_TRUE(step_heading(*session_).starts_with("block 0 · after line 33 · step 13 of 40 · "))
        << step_heading(*session_);
    session_->apply(session::ShowBefore{true});
    EXPECT_EQ(moment_words(*session_), "before line 33");
    session_->apply(session::SetGranularity{trace::Granularity::phase});
    EXPECT_EQ(moment_words(*session_), "before the step");
}

}  // namespace thread_story_test
}  // namespace lanescope::scene
