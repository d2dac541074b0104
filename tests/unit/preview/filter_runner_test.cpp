#include "preview/model/filter_runner.h"

#include <gtest/gtest.h>

#include "fake_device.h"
#include "pictures.h"

namespace lanescope::preview {
namespace filter_runner_test {

std::vector<std::uint16_t> samples_of(const FilterRunner& runner) {
    std::vector<std::uint16_t> samples;
    runner.result().with_samples([&](const LiveResult::Samples& now) { samples = now; });
    return samples;
}

class FilterRunnerTest : public testing::Test {
  protected:
    Request request(const std::string& mask) const {
        return request_for(image, mask, Border::zero, kernel_path("tiled_2d"));
    }
    static Request broken() {
        Request wanted = request_for(noise_image(40, 30, 1), "box:3", Border::zero, kernel_path("tiled_2d"));
        KernelFile file = *wanted.kernel;
        file.source += "\n#error broken\n";
        wanted.kernel = std::make_shared<const KernelFile>(std::move(file));
        return wanted;
    }

    const image::Image image = noise_image(40, 30, 1);
    FakeDevice device;
    int ended = 0;
    FilterRunner runner{device, [this] { ++ended; }};
};

TEST_F(FilterRunnerTest, shows_the_image_until_a_run_gives_a_result) {
    runner.set_image(image);
    EXPECT_EQ(samples_of(runner), image.samples);
    EXPECT_EQ(runner.run(), nullptr);
    const std::uint64_t before = runner.generation();
    runner.start(request("box:3"), {});
    EXPECT_TRUE(runner.busy());
    runner.wait();
    EXPECT_FALSE(runner.busy());
    EXPECT_EQ(ended, 1);
    ASSERT_NE(runner.facts(), nullptr);
    EXPECT_TRUE(runner.facts()->as_expected());
    EXPECT_EQ(samples_of(runner), runner.run()->result().samples);
    EXPECT_NE(runner.generation(), before);
    EXPECT_EQ(runner.device_times(), nullptr);
}

TEST_F(FilterRunnerTest, the_newest_request_wins) {
    runner.set_image(image);
    for (const char* mask : {"box:3", "gaussian:9", "sharpen"})
        runner.start(request(mask), {});
    runner.wait();
    EXPECT_EQ(runner.run()->request().filter.name, "sharpen");
    EXPECT_EQ(ended, 1);
    EXPECT_EQ(samples_of(runner), runner.run()->result().samples);
}

TEST_F(FilterRunnerTest, a_mistake_leaves_the_last_run) {
    runner.set_image(image);
    runner.start(request("box:3"), {});
    runner.wait();
    const std::shared_ptr<const preview::Run> good = runner.run();
    runner.start(broken(), {});
    runner.wait();
    EXPECT_EQ(runner.run(), good);
    EXPECT_FALSE(runner.diagnostics().empty());
    EXPECT_TRUE(runner.take_problem());
    EXPECT_FALSE(runner.take_problem());  // a problem is reported once
    runner.start(request("box:5"), {});
    EXPECT_TRUE(runner.diagnostics().empty());
}

TEST_F(FilterRunnerTest, a_devices_result_is_fetched_and_compared) {
    runner.set_image(image);
    runner.use_device(true);
    runner.start(request("box:3"), {});
    runner.wait();
    ASSERT_NE(runner.device_times(), nullptr);
    EXPECT_EQ(runner.device_times()->on_device_ms, 2);
    ASSERT_NE(runner.facts(), nullptr);
    EXPECT_TRUE(runner.facts()->as_expected());
    EXPECT_EQ(samples_of(runner), runner.run()->result().samples);
}

TEST_F(FilterRunnerTest, an_unusable_device_is_left_for_the_cpu_machine) {
    device.begin_problem = "there is no GPU";
    runner.set_image(image);
    runner.use_device(true);
    runner.start(request("box:3"), {});
    EXPECT_FALSE(runner.on_device());
    runner.wait();
    ASSERT_NE(runner.run(), nullptr);
    const std::optional<std::string> problem = runner.take_problem();
    ASSERT_TRUE(problem);
    EXPECT_NE(problem->find("there is no GPU"), std::string::npos);
    EXPECT_TRUE(runner.diagnostics().empty());  // nothing is wrong with the kernel file
}

TEST_F(FilterRunnerTest, what_the_device_still_runs_does_not_replace_the_cpu_machines_result) {
    device.held = true;
    runner.set_image(image);
    runner.use_device(true);
    runner.start(request("box:3"), {});
    runner.use_device(false);
    runner.start(request("sharpen"), {});
    device.release();
    runner.wait();
    EXPECT_EQ(runner.run()->request().filter.name, "sharpen");
    EXPECT_EQ(runner.device_times(), nullptr);
    EXPECT_EQ(samples_of(runner), runner.run()->result().samples);
}

TEST_F(FilterRunnerTest, nothing_comes_of_a_cancelled_run) {
    runner.set_image(image);
    runner.start(request("box:3"), {});
    runner.cancel();
    runner.wait();
    EXPECT_EQ(runner.run(), nullptr);
    EXPECT_EQ(ended, 0);
}

TEST(LiveResult, takes_rows_of_the_newest_run_alone) {
    const Request wanted = request_for(noise_image(9, 7, 1), "box:3", Border::zero, kernel_path("tiled_2d"));
    const std::unique_ptr<preview::Run> run = std::move(*Run::make(wanted));
    ASSERT_TRUE(run->run({}, nullptr, {}));
    LiveResult live;
    live.set(wanted.image->samples);
    EXPECT_TRUE(live.take_changed());
    EXPECT_FALSE(live.take_changed());
    const std::uint64_t old = live.begin_run(), newest = live.begin_run();
    live.take_rows(*run, old, 0, 7);
    EXPECT_FALSE(live.take_changed());
    live.take_rows(*run, newest, 2, 4);
    EXPECT_TRUE(live.take_changed());
    live.with_samples([&](const LiveResult::Samples& samples) {
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const bool taken = i / 9 >= 2 && i / 9 < 4;
            EXPECT_EQ(samples[i], taken ? run->result().samples[i] : wanted.image->samples[i]) << i;
        }
    });
}

}  // namespace filter_runner_test
}  // namespace lanescope::preview
