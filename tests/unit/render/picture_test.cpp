// Pictures drawn without a display into a framebuffer and read back.
#include <gtest/gtest.h>

#include <string>

#include "render/framebuffer.h"
#include "render/headless.h"

namespace lanescope::render {
namespace picture_test {

class Picture : public testing::Test {
  protected:
    void SetUp() override {
        auto context = HeadlessContext::create();
        if (!context) GTEST_SKIP() << to_text(context.diagnostics());
        context_ = std::make_unique<HeadlessContext>(std::move(*context));
    }
    std::unique_ptr<HeadlessContext> context_;
};

TEST_F(Picture, device_says_what_draws) {
    EXPECT_FALSE(context_->device().renderer.empty());
    EXPECT_FALSE(context_->device().reached_through.empty());
}

TEST_F(Picture, top_row_comes_first) {
    auto target = Framebuffer::create(4, 3);
    ASSERT_TRUE(target);
    target->bind();
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 2, 4, 1);  // OpenGL counts rows from below
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    auto image = target->read();
    ASSERT_TRUE(image);
    ASSERT_EQ(image->samples.size(), 4u * 3 * 4);
    EXPECT_EQ(image->samples[0], 255);  // red above
    EXPECT_EQ(image->samples[2], 0);
    EXPECT_EQ(image->samples[2 * 4 * 4], 0);
    EXPECT_EQ(image->samples[2 * 4 * 4 + 2], 255);  // blue below
}

TEST_F(Picture, bad_size_names_the_limit) {
    for (const auto& [width, height] : {std::pair{0, 10}, std::pair{10, -1}, std::pair{1 << 30, 1}}) {
        auto target = Framebuffer::create(width, height);
        ASSERT_FALSE(target);
        EXPECT_NE(target.diagnostics().front().hint.find("1 to "), std::string::npos);
    }
}

TEST_F(Picture, driver_errors_are_named_once) {
    glEnable(0xffff);
    auto checked = check_gl("enabling nonsense");
    ASSERT_FALSE(checked);
    EXPECT_NE(checked.diagnostics().front().message.find("GL_INVALID_ENUM"), std::string::npos);
    EXPECT_TRUE(check_gl("nothing"));
}

}  // namespace picture_test
}  // namespace lanescope::render
