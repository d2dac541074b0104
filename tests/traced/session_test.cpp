// The window's session with a device: one run at a time, the newest run wins, no run outlives its source.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "gpu/served/machine_device.h"
#include "session/runner/device_source.h"
#include "session/session.h"

namespace lanescope::traced {
namespace session_test {

class CountingSource : public session::DeviceSource {
  public:
    std::string name() const override { return "instrumented CPU"; }
    Result<gpu::TraceDevice*> begin_run() override {
        EXPECT_EQ(begun, ended) << "two runs use the device at the same time";
        ++begun;
        device = std::make_unique<gpu::MachineDevice>();
        return static_cast<gpu::TraceDevice*>(device.get());
    }
    void end_run(const execution::RunResult* result) override {
        ++ended;
        if (result != nullptr) ++shown;
    }
    std::unique_ptr<gpu::MachineDevice> device;
    int begun = 0, ended = 0, shown = 0;
};

class OnDevice : public testing::Test {
  protected:
    OnDevice() : session_(root_ / "kernels") {
        session_.set_device_source(&source_);
        session_.apply(session::OpenFile{root_ / "kernels/reduction/modulo.cu"});
        EXPECT_TRUE(session_.wait());
    }
    ~OnDevice() override { session_.set_device_source(nullptr); }

    const std::filesystem::path root_ = LANESCOPE_SOURCE_DIR;
    CountingSource source_;
    session::Session session_;
};

TEST_F(OnDevice, the_last_of_many_changes_is_shown) {
    session_.apply(session::UseGpu{true});
    for (const std::int64_t n : {64, 96, 100, 33})
        session_.apply(session::SetParameter{"n", n});
    EXPECT_TRUE(session_.runner().busy());
    EXPECT_TRUE(session_.wait());
    ASSERT_NE(session_.run(), nullptr);
    EXPECT_TRUE(session_.run()->on_device());
    EXPECT_EQ(session_.run()->instance.parameters.at("n"), 33);
    EXPECT_EQ(source_.begun, source_.ended);
    EXPECT_EQ(source_.shown, 1);
}

TEST_F(OnDevice, back_on_the_cpu_while_it_runs) {
    session_.apply(session::UseGpu{true});
    session_.apply(session::UseGpu{false});
    EXPECT_TRUE(session_.wait());
    EXPECT_FALSE(session_.run()->on_device());
    EXPECT_EQ(source_.begun, 1);
    EXPECT_EQ(source_.ended, 1);
    EXPECT_EQ(source_.shown, 0);
    EXPECT_FALSE(session_.runner().busy());
}

TEST_F(OnDevice, undo_and_redo_change_the_engine) {
    session_.apply(session::UseGpu{true});
    EXPECT_TRUE(session_.wait());
    EXPECT_EQ(session_.document().undo_label(), "the GPU as the engine");
    session_.apply(session::Undo{});
    EXPECT_TRUE(session_.wait());
    EXPECT_FALSE(session_.runner().on_device() || session_.run()->on_device());
    session_.apply(session::Redo{});
    EXPECT_TRUE(session_.wait());
    EXPECT_TRUE(session_.runner().on_device() && session_.run()->on_device());
}

TEST_F(OnDevice, its_source_is_taken_back_while_it_runs) {
    session_.apply(session::UseGpu{true});
    session_.set_device_source(nullptr);
    EXPECT_EQ(source_.ended, 1);
    EXPECT_FALSE(session_.runner().on_device());
    EXPECT_FALSE(session_.run()->on_device());
}

TEST_F(OnDevice, a_fault_is_shown_at_its_line_and_the_engine_stays) {
    session_.apply(session::EditSource{
        "__global__ void k(int* p) {\n    p[threadIdx.x] = 1;\n    ((int*)nullptr)[threadIdx.x] = 2;\n}\n"});
    session_.wait();
    session_.apply(session::UseGpu{true});
    EXPECT_TRUE(session_.wait());
    ASSERT_TRUE(session_.run()->on_device());
    ASSERT_EQ(session_.run()->problems.size(), 1u);
    EXPECT_EQ(session_.run()->problems.front().first.line, 3u);
    EXPECT_TRUE(session_.runner().on_device());
    session_.apply(session::EditSource{"__global__ void k(int* p) { p[threadIdx.x] = 1; }\n"});
    EXPECT_TRUE(session_.wait());
    EXPECT_TRUE(session_.run()->on_device() && session_.run()->problems.empty());
}

TEST_F(OnDevice, a_text_that_does_not_compile_leaves_the_engine) {
    session_.apply(session::UseGpu{true});
    EXPECT_TRUE(session_.wait());
    session_.apply(session::EditSource{"__global__ void k(int* p) { nonsense; }\n"});
    EXPECT_FALSE(session_.wait());
    EXPECT_TRUE(session_.runner().on_device());
}

TEST_F(OnDevice, a_cancelled_run_leaves_the_engine) {
    session_.apply(session::EditSource{"__global__ void k(int* p) { while (true) p[0] = p[0] + 1; }\n"});
    session_.apply(session::UseGpu{true});
    session_.apply(session::CancelRun{});
    session_.wait();
    EXPECT_FALSE(session_.runner().busy());
    EXPECT_TRUE(session_.runner().on_device());
    EXPECT_EQ(source_.begun, source_.ended);
}

}  // namespace session_test
}  // namespace lanescope::traced
