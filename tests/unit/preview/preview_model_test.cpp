#include "preview/model/preview_model.h"

#include <gtest/gtest.h>

#include "base/folders.h"
#include "execution/run/run.h"
#include "fake_device.h"
#include "pictures.h"

namespace lanescope::preview {
namespace preview_model_test {

std::filesystem::path picture() {
    return resource_folder() / "assets" / "images" / "chart.png";
}

class PreviewModelTest : public testing::Test {
  protected:
    void open() {
        model.edit_filter([](FilterChoice& filter) { filter.set(*parse_filter("box:3")); });
        model.open_image(picture());
        model.wait();
        ASSERT_NE(model.image(), nullptr) << model.problem();
        ASSERT_NE(model.runner().run(), nullptr) << model.problem();
    }
    const Request& request() const { return model.runner().run()->request(); }

    FakeDevice device;
    PreviewModel model{device};
};

TEST_F(PreviewModelTest, an_image_is_filtered_and_its_pixel_explained) {
    EXPECT_EQ(model.image(), nullptr);
    open();
    EXPECT_EQ(model.image_file().path(), picture());
    EXPECT_EQ(request().filter.name, "box:3");
    EXPECT_TRUE(model.inspector().pixel().known);
    EXPECT_EQ(model.inspector().pixel().neighbours, 9u);
    EXPECT_TRUE(model.problem().empty());
    EXPECT_FALSE(model.busy());
}

TEST_F(PreviewModelTest, every_change_is_run) {
    open();
    model.set_border(Border::wrap);
    model.wait();
    EXPECT_EQ(request().border, Border::wrap);
    model.edit_filter([](FilterChoice& filter) { filter.resize(5); });
    model.wait();
    EXPECT_EQ(request().filter.name, "box:5");
    model.choose_kernel(1);
    model.wait();
    EXPECT_EQ(request().kernel->file, kernel_path("basic_2d"));
    model.use_device(true);
    model.wait();
    EXPECT_NE(model.runner().device_times(), nullptr);
}

TEST_F(PreviewModelTest, a_mistake_in_the_text_leaves_the_last_run) {
    open();
    const std::shared_ptr<const preview::Run> good = model.runner().run();
    model.edit_kernel([](session::Document& document) {
        document.edit("no front matter");
        return true;
    });
    model.wait();
    EXPECT_EQ(model.runner().run(), good);
    EXPECT_FALSE(model.problem().empty());
    ASSERT_FALSE(model.diagnostics().empty());
    model.edit_kernel([](session::Document& document) { return document.undo(); });
    model.wait();
    EXPECT_TRUE(model.problem().empty());
    EXPECT_TRUE(model.diagnostics().empty());
}

TEST_F(PreviewModelTest, an_image_that_cannot_be_read_leaves_the_other) {
    open();
    model.open_image(picture().parent_path() / "none.png");
    model.wait();
    EXPECT_NE(model.problem().find("none.png"), std::string::npos);
    EXPECT_EQ(model.image_file().path(), picture());
    EXPECT_FALSE(model.load_mask(picture()));
    model.set_border(Border::clamp);
    EXPECT_TRUE(model.problem().empty());  // only the newest attempt counts
}

TEST_F(PreviewModelTest, a_missing_gpu_is_said_and_the_cpu_machine_goes_on) {
    open();
    device.begin_problem = "there is no GPU";
    model.use_device(true);
    EXPECT_NE(model.problem().find("there is no GPU"), std::string::npos);
    model.wait();
    EXPECT_FALSE(model.runner().on_device());
    EXPECT_NE(model.problem().find("there is no GPU"), std::string::npos);
}

TEST_F(PreviewModelTest, the_pixels_block_is_a_run_of_its_own) {
    open();
    model.step_into_block();
    EXPECT_TRUE(model.stepping().busy());
    model.stepping().wait();
    const std::optional<BlockStepping::Outcome> outcome = model.stepping().take();
    ASSERT_TRUE(outcome);
    ASSERT_TRUE(*outcome) << to_text(outcome->diagnostics());
    EXPECT_NE((**outcome)->trace, nullptr);
    EXPECT_EQ(model.stepping().block(), model.inspector().pixel().block);
    EXPECT_FALSE(model.stepping().take());  // the result can be taken once
}

}  // namespace preview_model_test
}  // namespace lanescope::preview
