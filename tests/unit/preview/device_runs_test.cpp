#include "preview/model/device_runs.h"

#include <gtest/gtest.h>

#include "fake_device.h"
#include "pictures.h"

namespace lanescope::preview {
namespace device_runs_test {

class DeviceRunsTest : public testing::Test {
  protected:
    static Request request(const std::string& mask) {
        return request_for(noise_image(24, 20, 1), mask, Border::zero, kernel_path("tiled_2d"));
    }

    FakeDevice device;
    int shown = 0;
    std::vector<std::string> fetched, failed, unusable;  // names of masks, then messages
    DeviceRuns runs{device,
                    {[this](const GpuFilter::Times&) { ++shown; },
                     [this](const std::shared_ptr<preview::Run>& run) {
                         EXPECT_EQ(run->missing(), 0u);
                         fetched.push_back(run->request().filter.name);
                     },
                     [this](const Diagnostics& why) { failed.push_back(why.front().message); },
                     [this](const Diagnostics& why) { unusable.push_back(why.front().message); }}};
};

using Names = std::vector<std::string>;

TEST_F(DeviceRunsTest, show_the_picture_and_then_fetch_the_result) {
    runs.start(request("box:3"));
    EXPECT_TRUE(runs.busy());
    runs.wait();
    EXPECT_FALSE(runs.busy());
    EXPECT_EQ(shown, 1);
    EXPECT_EQ(fetched, Names{"box:3"});
    EXPECT_EQ(device.shown, std::vector<bool>{true});
}

TEST_F(DeviceRunsTest, of_those_that_wait_the_newest_alone_runs) {
    device.held = true;
    runs.start(request("box:3"));
    runs.start(request("box:5"));
    runs.start(request("gaussian:5"));
    device.release();
    runs.wait();
    EXPECT_EQ(device.masks, (Names{"box:3", "gaussian:5"}));
    EXPECT_EQ(fetched, Names{"gaussian:5"});
    EXPECT_EQ(shown, 1);
}

TEST_F(DeviceRunsTest, what_is_dropped_is_not_shown) {
    device.held = true;
    runs.start(request("box:3"));
    runs.start(request("box:5"));
    runs.drop();
    device.release();
    runs.wait();
    EXPECT_EQ(device.masks, Names{"box:3"});
    EXPECT_EQ(device.shown, std::vector<bool>{false});
    EXPECT_EQ(shown, 0);
    EXPECT_TRUE(fetched.empty());
    runs.start(request("box:7"));  // a later request runs again
    runs.wait();
    EXPECT_EQ(fetched, Names{"box:7"});
}

TEST_F(DeviceRunsTest, a_mistake_in_the_file_is_not_the_devices) {
    device.run_problem = "the kernel is wrong";
    runs.start(request("box:3"));
    runs.wait();
    EXPECT_EQ(failed, Names{"the kernel is wrong"});
    EXPECT_TRUE(unusable.empty());
    EXPECT_EQ(device.shown, std::vector<bool>{false});
}

TEST_F(DeviceRunsTest, a_device_that_is_not_there_ends_what_waits) {
    device.held = true;
    device.missing = true;
    runs.start(request("box:3"));
    runs.start(request("box:5"));
    device.release();
    runs.wait();
    EXPECT_EQ(unusable, Names{"no device answers"});
    EXPECT_EQ(device.masks, Names{"box:3"});
}

// Runs that end soon are not cancelled, because that costs the device's process.
TEST_F(DeviceRunsTest, an_endless_run_is_cancelled_when_it_is_not_wanted_any_more) {
    for (const bool replaced : {false, true}) {
        device.endless = true;
        runs.start(request("box:3"));
        if (replaced)
            runs.start(request("box:5"));
        else
            runs.drop();
        const std::size_t before = device.masks.size();
        while (runs.busy()) {
            (void)runs.update();
            if (device.masks.size() > before && replaced) device.endless = false;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    EXPECT_EQ(fetched, Names{"box:5"});
    EXPECT_TRUE(failed.empty());
    EXPECT_TRUE(unusable.empty());
}

TEST_F(DeviceRunsTest, a_device_that_cannot_begin_is_unusable) {
    device.begin_problem = "there is no GPU";
    runs.start(request("box:3"));
    EXPECT_FALSE(runs.busy());
    EXPECT_EQ(unusable, Names{"there is no GPU"});
}

}  // namespace device_runs_test
}  // namespace lanescope::preview
