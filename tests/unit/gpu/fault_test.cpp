// Kernels that fault or do not end. On the real GPU they run in a child process, as in the program.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

#include "base/folders.h"
#include "base/process.h"
#include "fixture.h"
#include "gpu/driver/memory.h"
#include "gpu/traced/gpu_trace_device.h"
#include "kernels.h"

namespace lanescope::gpu {
namespace fault_test {

bool stores_42(const Context& context) {
    auto buffer = DeviceBuffer::allocate(context, 4);
    if (!buffer) return false;
    launch(context, "store", buffer->address());
    const auto waited = context.wait(context.stream(), {.seconds = 10});
    std::byte back[4]{};
    return waited && *waited == Waited::finished && buffer->read(back) && back[0] == std::byte{42};
}

TEST(FakeFault, buffers_of_an_ended_context_are_not_freed_again) {
    const FakeDriver fake("");
    auto context = Context::create();
    ASSERT_TRUE(context);
    {
        auto old = DeviceBuffer::allocate(*context, 16);
        ASSERT_TRUE(old);
        ASSERT_TRUE(context->rebuild());
        EXPECT_EQ(fake.count("fake_contexts_destroyed"), 1);
        // It has the same address; only this buffer may free it.
        auto fresh = DeviceBuffer::allocate(*context, 16);
        ASSERT_TRUE(fresh);
        EXPECT_EQ(old->address(), fresh->address());
        *old = DeviceBuffer();
        EXPECT_EQ(fake.count("fake_buffers_freed"), 0);
    }
    EXPECT_EQ(fake.count("fake_buffers_freed"), 1);
    std::byte byte{};
    EXPECT_FALSE(DeviceBuffer().read({&byte, 1}));
}

TEST(FakeFault, bad_kernel_that_faults_ends_CUDA_and_says_so) {
    const FakeDriver fake("fault");
    auto context = Context::create();
    ASSERT_TRUE(context);
    const auto waited = context->wait(context->stream(), {});
    ASSERT_FALSE(waited);
    EXPECT_NE(to_text(waited.diagnostics()).find("the kernel failed: an illegal memory access"),
              std::string::npos);
    const auto rebuilt = context->rebuild();
    ASSERT_FALSE(rebuilt);
    EXPECT_NE(to_text(rebuilt.diagnostics()).find("start the program again"), std::string::npos);
    EXPECT_EQ(fake.count("fake_contexts_destroyed"), 1);
}

// How loading instrumented code ends, and how often it was linked.
std::pair<std::string, int> loading(const char* fault) {
    const FakeDriver fake(fault);
    auto context = Context::create();
    if (!context) return {to_text(context.diagnostics()), 0};
    const Result<void> loaded = GpuTraceDevice(*context).load("PTX");
    return {loaded ? "loaded" : to_text(loaded.diagnostics()), fake.count("fake_links")};
}

TEST(FakeFault, bad_launch_bounds_are_linked_again_with_fewer_registers_and_other_errors_are_told_at_once) {
    EXPECT_EQ(loading("bounds"), std::pair(std::string("loaded"), 2));
    const auto [said, links] = loading("bad_ptx");
    EXPECT_NE(said.find("loading the instrumented code: unknown instruction"), std::string::npos) << said;
    EXPECT_EQ(links, 1);
}

TEST(FakeFault, bad_kernel_of_a_traced_run_is_told_and_what_comes_next_says_that_CUDA_has_ended) {
    const FakeDriver fake("fault");
    auto context = Context::create();
    ASSERT_TRUE(context);
    GpuTraceDevice device(*context);
    ASSERT_TRUE(device.load("PTX"));
    std::string console;
    const auto ran = device.launch({}, 1, nullptr, console);
    ASSERT_TRUE(ran) << to_text(ran.diagnostics());
    EXPECT_EQ(ran->ending, simt::Ending::faulted);
    EXPECT_EQ(ran->fault, trace::ProblemKind::out_of_bounds);
    EXPECT_NE(ran->message.find("an illegal memory access"), std::string::npos) << ran->message;
    const auto after = device.allocate(16);
    ASSERT_FALSE(after);
    EXPECT_NE(to_text(after.diagnostics()).find("CUDA has ended in this process: allocating 16 bytes"),
              std::string::npos)
        << to_text(after.diagnostics());
    const std::byte byte{};
    EXPECT_NE(to_text(device.write(0x1000, {&byte, 1}).diagnostics()).find("start the program again"),
              std::string::npos);
}

// Must run in its own process, in which the kernel stays until the end.
void leave_an_endless_kernel_behind(const FakeDriver& fake) {
    auto context = Context::create();
    ASSERT_TRUE(context);
    auto buffer = DeviceBuffer::allocate(*context, 16);
    ASSERT_TRUE(buffer);
    EXPECT_EQ(*context->wait(context->stream(), {.seconds = 0.01}), Waited::timed_out);
    const std::atomic<bool> cancelled = true;
    EXPECT_EQ(*context->wait(context->stream(), {.cancelled = &cancelled}), Waited::cancelled);
    *buffer = DeviceBuffer();  // freeing it would wait for the kernel
    ASSERT_TRUE(context->rebuild());
    EXPECT_EQ(fake.count("fake_buffers_freed"), 0);
    EXPECT_EQ(fake.count("fake_contexts_destroyed"), 0);
}

TEST(FakeFault, bad_kernel_that_does_not_end_is_left_behind) {
    const FakeDriver fake("endless");
    const auto leave = [&] {
        leave_an_endless_kernel_behind(fake);
        std::_Exit(HasFailure() ? 1 : 5);
    };
    EXPECT_EXIT(leave(), testing::ExitedWithCode(5), "");
}

TEST(FakeFault, process_with_a_kernel_left_behind_ends_without_the_drivers_handlers) {
    const FakeDriver fake("endless");
    const auto leave = [&] {
        leave_an_endless_kernel_behind(fake);
        std::atexit([] { std::_Exit(1); });  // like the driver's handler, which would wait for the kernel
        std::exit(end_process(5));
    };
    EXPECT_EXIT(leave(), testing::ExitedWithCode(5), "");
    EXPECT_EQ(end_process(5), 5);  // this process has no kernel left behind
}

TEST_F(RealGpu, kernel_that_looks_at_a_word_of_the_host_can_be_told_to_end) {
    auto word = HostBuffer::allocate(*context_, 4);
    ASSERT_TRUE(word);
    std::memset(word->data(), 0, 4);
    launch(*context_, "until_set", word->device_address());
    EXPECT_EQ(*context_->wait(context_->stream(), {.seconds = 0.2}), Waited::timed_out);
    *reinterpret_cast<volatile unsigned*>(word->data()) = 1;
    EXPECT_EQ(*context_->wait(context_->stream(), {.seconds = 10}), Waited::finished);
    EXPECT_TRUE(stores_42(*context_));
}

// --- Tests in a child process: this program with one test
// --------------------------------------------------------

Result<ProcessOutcome> run_child_test(const char* name, int limit_ms) {
    unsetenv("GTEST_OUTPUT");
    return run_process({executable_path().string(), "--gtest_also_run_disabled_tests",
                        std::string("--gtest_filter=RealGpu.DISABLED_") + name},
                       {}, limit_ms);
}

TEST_F(RealGpu, DISABLED_child_faults) {
    launch(*context_, "fault", 0);
    const auto waited = context_->wait(context_->stream(), {.seconds = 10});
    ASSERT_FALSE(waited);
    std::printf("%s", to_text(waited.diagnostics()).c_str());
}

TEST_F(RealGpu, DISABLED_child_leaves_an_endless_kernel_behind) {
    launch(*context_, "endless", 0);
    EXPECT_EQ(*context_->wait(context_->stream(), {.seconds = 0.3}), Waited::timed_out);
    ASSERT_TRUE(context_->rebuild());
    EXPECT_TRUE(stores_42(*context_));
    context_.reset();
    end_process(HasFailure() ? 1 : 5);
    FAIL() << "end_process() returned";
}

TEST_F(RealGpu, DISABLED_child_waits_for_ever) {
    launch(*context_, "endless", 0);
    (void)context_->wait(context_->stream(), {});
}

TEST_F(RealGpu, kernel_that_faults_in_a_child_leaves_this_process_well) {
    const auto child = run_child_test("child_faults", 60000);
    ASSERT_TRUE(child) << to_text(child.diagnostics());
    EXPECT_EQ(child->exit_code, 0) << child->out;
    EXPECT_NE(child->out.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << child->out;
    EXPECT_TRUE(stores_42(*context_));
}

TEST_F(RealGpu, endless_kernel_in_a_child_is_left_behind_and_ends_with_it) {
    const auto child = run_child_test("child_leaves_an_endless_kernel_behind", 60000);
    ASSERT_TRUE(child) << to_text(child.diagnostics());
    EXPECT_EQ(child->exit_code, 5) << child->out;
    EXPECT_TRUE(stores_42(*context_));
}

TEST_F(RealGpu, endless_kernel_in_a_child_ends_at_the_time_limit) {
    const auto child = run_child_test("child_waits_for_ever", 3000);
    ASSERT_TRUE(child) << to_text(child.diagnostics());
    EXPECT_TRUE(child->timed_out);
    EXPECT_TRUE(stores_42(*context_));
}

}  // namespace fault_test
}  // namespace lanescope::gpu
