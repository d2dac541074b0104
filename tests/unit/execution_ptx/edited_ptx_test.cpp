// A PTX file in a session: it opens, steps over the lines of its source, and runs again when it is edited.
#include "session/session.h"

#include "support.h"

namespace lanescope::session {
namespace edited_ptx_test {

namespace fs = std::filesystem;

const fs::path corpus = fs::path(LANESCOPE_SOURCE_DIR) / "tests/corpus/languages";

class EditedPtx : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  (std::string("edit_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
        for (const char* name : {"vector_add.ptx", "triton_kernels.py"})
            fs::copy_file(corpus / "triton" / name, folder_ / name, fs::copy_options::overwrite_existing);
    }
    void TearDown() override { fs::remove_all(folder_); }
    fs::path folder_;
};

TEST_F(EditedPtx, runs_again) {
    Session session(std::make_shared<const lesson::Registry>());
    session.apply(OpenFile{folder_ / "vector_add.ptx"});
    ASSERT_TRUE(session.wait()) << to_text(session.diagnostics());
    EXPECT_EQ(session.run()->lines_file, (folder_ / "triton_kernels.py").string());
    EXPECT_EQ(session.run()->source, session.document().text());
    session.apply(StepBy{2});
    const std::size_t step = session.playhead().step_state()->index;
    EXPECT_GT(step, 0u);

    std::string text = session.document().text();
    const std::size_t sum = text.find("add.f32 ");
    ASSERT_NE(sum, text.npos);
    text.replace(sum, 8, "sub.f32 ");
    session.apply(EditSource{text});
    ASSERT_TRUE(session.wait()) << to_text(session.diagnostics());
    EXPECT_EQ(session.playhead().step_state()->index, step);  // the lines of the source are the same
    const auto x = before<float>(*session.run(), "x"), y = before<float>(*session.run(), "y");
    EXPECT_EQ(after<float>(*session.run(), "out")[0], x[0] - y[0]);

    session.apply(EditSource{text + "oops"});
    EXPECT_FALSE(session.wait());
    EXPECT_TRUE(session.shows_last_good());
    EXPECT_EQ(fs::path(session.diagnostics().front().file).filename(), "vector_add.ptx");
    EXPECT_GT(session.diagnostics().front().line, 90);
    session.apply(Undo{});
    EXPECT_TRUE(session.wait());
}

TEST_F(EditedPtx, takes_parameters_of_the_proposal) {
    Session session(std::make_shared<const lesson::Registry>());
    session.apply(OpenFile{folder_ / "vector_add.ptx"});
    ASSERT_TRUE(session.wait());
    session.apply(SetParameter{"n", 300});
    ASSERT_TRUE(session.wait()) << to_text(session.diagnostics());
    EXPECT_EQ(session.run()->instance.launches[0].grid[0], 2u);
    EXPECT_EQ(after<float>(*session.run(), "out").size(), 300u);
}

}  // namespace edited_ptx_test
}  // namespace lanescope::session
