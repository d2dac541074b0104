// Filters on a device of another process: on the CPU machine, and on this machine's GPU where there is one.
#include "preview/run/gpu_filter.h"

#include <signal.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "base/files.h"
#include "base/folders.h"
#include "base/temporary_folder.h"
#include "gpu/driver/driver.h"
#include "gpu/served/device_command.h"
#include "pictures.h"

namespace lanescope::preview {
namespace gpu_filter_test {

constexpr const char* good_line = "    out[row * cols + col] = sum;";
constexpr const char* faulty = "    if (row == 5 && col == 3) *(volatile int*)8 = sum;\n";
// It writes, because the CPU machine finds out about a loop that only reads.
constexpr const char* endless =
    "    if (row == 5) while (*(volatile int*)out != -77) *(volatile int*)out = 1;\n";

// A request whose kernel has one line more.
Request changed(const std::string& line) {
    Request request =
        request_for(noise_image(61, 47, 3), "gaussian:5", Border::mirror, kernel_path("basic_2d"));
    KernelFile file = *request.kernel;
    file.source.insert(file.source.find(good_line), line);
    request.kernel = std::make_shared<const KernelFile>(std::move(file));
    return request;
}

int line_of(const Request& request, const std::string& text) {
    const std::string& source = request.kernel->source;
    return 1 + static_cast<int>(std::count(
                   source.begin(), source.begin() + static_cast<std::ptrdiff_t>(source.find(text)), '\n'));
}

std::unique_ptr<preview::Run> made(const Request& request) {
    Result<std::unique_ptr<preview::Run>> run = preview::Run::make(request);
    EXPECT_TRUE(run) << to_text(run.diagnostics());
    return std::move(*run);
}

// Each test has a device of its own. The parameter says whether it is a GPU.
class GpuFilterTest : public testing::TestWithParam<bool> {
  protected:
    void SetUp() override {
        if (GetParam() && !gpu::Driver::open()) GTEST_SKIP() << "no GPU";
        const std::string command = "echo $$ > '" + pid_file() + "'; exec '" + executable_path().string() +
                                    "' __device" + (GetParam() ? "" : " --machine");
        device = std::move(*gpu::make_served_device(command, "test", 0));
        filter = std::make_unique<GpuFilter>(*device, 10);
    }
    std::string pid_file() const { return (folder.path() / "pid").string(); }
    void kill_process() const {
        const Result<std::string> text = read_text_file(pid_file());
        ASSERT_TRUE(text);
        EXPECT_EQ(::kill(std::stoi(*text), SIGKILL), 0);
    }
    void limit(double seconds) { filter = std::make_unique<GpuFilter>(*device, seconds); }

    // The same as the CPU machine gives, bit for bit.
    void expect_good(const Request& request) {
        const std::unique_ptr<preview::Run> expected = made(request), run = made(request);
        ASSERT_TRUE(expected->run(std::nullopt, nullptr, {}));
        const Result<GpuFilter::Times> times = filter->run(*run, nullptr);
        ASSERT_TRUE(times) << to_text(times.diagnostics());
        EXPECT_GT(times->kernels_ms, 0);
        EXPECT_GT(times->on_device_ms, times->kernels_ms);
        ASSERT_TRUE(filter->fetch(*run));
        EXPECT_EQ(run->missing(), 0u);
        EXPECT_EQ(run->result().samples, expected->result().samples);
        EXPECT_EQ(run->values(), expected->values());
        EXPECT_FALSE(filter->closed());
    }
    Diagnostic expect_failure(const Request& request, const std::atomic<bool>* cancel = nullptr) {
        const Result<GpuFilter::Times> times = filter->run(*made(request), cancel);
        EXPECT_FALSE(times);
        EXPECT_FALSE(filter->closed());
        return times ? Diagnostic() : times.diagnostics().front();
    }
    // Calls it while the kernel runs.
    Diagnostic expect_failure_after(const std::function<void()>& event, const Request& request,
                                    const std::atomic<bool>* cancel = nullptr) {
        std::thread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
            event();
        });
        Diagnostic why = expect_failure(request, cancel);
        later.join();
        return why;
    }

    TemporaryFolder folder = std::move(*TemporaryFolder::create());
    std::unique_ptr<gpu::ServedDevice> device;
    std::unique_ptr<GpuFilter> filter;
};

INSTANTIATE_TEST_SUITE_P(Devices, GpuFilterTest, testing::Values(false, true),
                         [](const auto& each) { return std::string(each.param ? "Gpu" : "CpuMachine"); });

TEST_P(GpuFilterTest, gives_what_the_cpu_machine_gives) {
    expect_good(changed(""));
    for (const char* mask : {"box:3", "sobel", "gaussian:9"})
        for (const char* kernel : {"tiled_2d", "fastest"})
            for (const Border border : {Border::zero, Border::wrap})
                expect_good(request_for(noise_image(61, 47, 4, 16), mask, border, kernel_path(kernel)));
    EXPECT_EQ(device->life(), 1u) << "one process for all";
}

TEST_P(GpuFilterTest, a_fault_costs_its_process_alone) {
    for (int round = 0; round < 2; ++round) {
        const Request request = changed(faulty);
        const Diagnostic why = expect_failure(request);
        EXPECT_EQ(why.line, line_of(request, faulty)) << to_text(why);
        EXPECT_NE(why.message.find("the kernel faulted on the GPU: "), std::string::npos) << why.message;
        expect_good(changed(""));
    }
    EXPECT_EQ(device->life(), 3u);
}

TEST_P(GpuFilterTest, a_bad_address_is_found_first) {
    filter->try_kernels_first();
    expect_good(changed(""));
    const Request request = changed(faulty);
    const Diagnostic why = expect_failure(request);
    EXPECT_EQ(why.line, line_of(request, faulty)) << to_text(why);
    EXPECT_NE(why.message.find("; not run on the GPU, because a fault there can break the drawing"),
              std::string::npos)
        << why.message;
    EXPECT_EQ(why.message, expect_failure(request).message) << "again";
    expect_good(changed(""));
    EXPECT_EQ(device->life(), 1u) << "nothing faulted";
}

TEST_P(GpuFilterTest, an_endless_kernel_ends_with_its_time) {
    limit(0.5);
    const Diagnostic why = expect_failure(changed(endless));
    EXPECT_EQ(why.message, "the kernel did not end on the GPU within 0.5 s");
    limit(10);
    expect_good(changed(""));
}

TEST_P(GpuFilterTest, cancel_ends_an_endless_kernel) {
    expect_good(changed(""));  // compiled and loaded
    std::atomic<bool> cancel = false;
    const auto began = std::chrono::steady_clock::now();
    const Diagnostic why = expect_failure_after([&] { cancel = true; }, changed(endless), &cancel);
    EXPECT_EQ(why.message, "cancelled");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(8));
    expect_good(changed(""));
}

TEST_P(GpuFilterTest, a_killed_process_is_replaced) {
    expect_good(changed(""));
    kill_process();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // its streams close
    expect_good(changed(""));
    const Diagnostic why = expect_failure_after([&] { kill_process(); }, changed(endless));
    EXPECT_NE(why.message.find("ended"), std::string::npos) << why.message;
    expect_good(changed(""));
}

TEST_P(GpuFilterTest, bad_launch_is_refused_and_the_process_stays) {
    std::string source = changed("").kernel->source;
    const std::string block = R"(["8", "8"])";
    source.replace(source.find(block), block.size(), R"(["64", "32"])");
    const std::string file = (folder.path() / "large_blocks.cu").string();
    ASSERT_TRUE(write_file(file, source));
    const Request request = request_for(noise_image(61, 47, 3), "gaussian:5", Border::zero, file);
    EXPECT_FALSE(expect_failure(request).message.empty());
    expect_good(changed(""));
    EXPECT_EQ(device->life(), 1u);
}

TEST_P(GpuFilterTest, memory_that_is_short_is_an_error_of_the_run) {
    if (!GetParam()) GTEST_SKIP() << "the CPU machine has the host's memory";
    std::unique_ptr<gpu::ServedDevice> other = std::move(*gpu::make_served_device("local", "test", 0));
    ASSERT_TRUE(other->open(nullptr));
    expect_good(request_for(noise_image(61, 47, 4), "box:3", Border::zero, kernel_path("tiled_2d")));
    for (std::uint64_t bytes = 64ull << 30; bytes >= 1 << 20; bytes /= 2)
        while (other->allocate(bytes)) {
        }
    const Request large =
        request_for(noise_image(2000, 2000, 4), "box:3", Border::zero, kernel_path("tiled_2d"));
    const Diagnostic why = expect_failure(large);
    EXPECT_NE(why.message.find("too little free memory"), std::string::npos) << why.message;
    other.reset();
    expect_good(large);
    EXPECT_EQ(device->life(), 1u);
}

TEST(GpuFilter, bad_place_without_a_device) {
    const std::unique_ptr<gpu::ServedDevice> device =
        std::move(*gpu::make_served_device("echo nothing is here; exit 3", "test", 0));
    GpuFilter filter(*device, 1);
    const Result<GpuFilter::Times> times = filter.run(*made(changed("")), nullptr);
    ASSERT_FALSE(times);
    EXPECT_NE(to_text(times.diagnostics()).find("nothing is here"), std::string::npos);
    EXPECT_TRUE(filter.closed());
}

}  // namespace gpu_filter_test
}  // namespace lanescope::preview
