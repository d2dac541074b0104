// A launch of a program, recorded in the memory that the program has already.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "base/temporary_folder.h"
#include "compile/compiler.h"
#include "gpu/programs/recording.h"
#include "gpu/served/machine_device.h"
#include "trace/io.h"

namespace lanescope::traced {
namespace {

constexpr const char* source = R"(
__constant__ int factor;
__global__ void scale(int* data, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] = data[i] * factor;
}
__global__ void keeps(int** to, int size) {
    to[0] = static_cast<int*>(malloc(size));
}
)";

constexpr std::array<int, 4> before{1, 2, 3, 4};
constexpr int factor = 5;

// The program's memory: it appears when the code is loaded, because the machine is made then.
class ProgramDevice : public gpu::MachineDevice {
  public:
    Result<void> load(const std::string& ptx) override {
        if (Result<void> loaded = gpu::MachineDevice::load(ptx); !loaded) return loaded;
        const Result<Address> data = allocate(sizeof before), constant = allocate(sizeof factor);
        if (!data) return data.diagnostics();
        if (!constant) return constant.diagnostics();
        data_ = *data;
        constant_ = *constant;
        if (Result<void> written = write(data_, std::as_bytes(std::span(before))); !written) return written;
        return write(constant_, std::as_bytes(std::span(&factor, 1)));
    }
    Address data_ = 0, constant_ = 0;
};

class RecordedProgram : public testing::Test {
  protected:
    void SetUp() override {
        compile::Options options;
        options.flags.arch = "compute_90";
        const Result<compile::Output> compiled = compile::compile(source, "scale.cu", options);
        ASSERT_TRUE(compiled) << to_text(compiled.diagnostics());
        code_.parts = {compiled->ptx};
        ASSERT_TRUE(code_.parse());
        ASSERT_TRUE(code_.describe(compiled->user_file));
        request_.code = &code_;
        request_.launch.kernel = "_Z5scalePii";
        request_.launch.grid = {1, 1, 1};
        request_.launch.block = {32, 1, 1};
    }

    template <class T>
    void add_argument(const T& value) {
        const std::span<const std::byte> bytes = std::as_bytes(std::span(&value, 1));
        request_.launch.arguments.emplace_back(bytes.begin(), bytes.end());
    }

    cudart::DeviceCode code_;
    gpu::RecordingRequest request_;
};

TEST_F(RecordedProgram, HasTheProgramsMemoryAndGivesItBack) {
    const Result<TemporaryFolder> folder = TemporaryFolder::create(std::filesystem::temp_directory_path());
    ASSERT_TRUE(folder);
    const std::filesystem::path file = folder->path() / "launch-0.trace";
    ProgramDevice device;
    add_argument(std::uint64_t{0});
    add_argument(0);
    ASSERT_TRUE(gpu::record_launch(device, request_, file));  // tells where the memory will be
    request_.launch.arguments.clear();
    add_argument(std::uint64_t{device.data_});
    add_argument(static_cast<int>(before.size()));
    request_.blocks = {{device.data_, {device.data_, sizeof before, "device", 3}}};
    request_.variables = {{"factor", device.constant_}};
    const Result<gpu::Recording> made = gpu::record_launch(device, request_, file);
    ASSERT_TRUE(made) << to_text(made.diagnostics());
    EXPECT_EQ(made->outcome.ending, simt::Ending::finished);
    EXPECT_GT(made->outcome.warp_instructions, 10u);
    EXPECT_EQ(made->notes, std::vector<std::string>());

    std::array<int, 4> now{};
    ASSERT_TRUE(device.read(device.data_, std::as_writable_bytes(std::span(now))));
    EXPECT_EQ(now, before);

    const Result<std::shared_ptr<const trace::Trace>> opened = trace::open(file);
    ASSERT_TRUE(opened) << to_text(opened.diagnostics());
    const trace::Trace& trace = **opened;
    EXPECT_EQ(trace.program.engine, "instrumented CPU");
    ASSERT_EQ(trace.launches.size(), 1u);
    const auto symbol = std::find_if(trace.symbols.begin(), trace.symbols.end(),
                                     [](const trace::Symbol& each) { return each.name == "device 3"; });
    ASSERT_NE(symbol, trace.symbols.end());
    EXPECT_EQ(symbol->size_bytes, sizeof before);
}

TEST_F(RecordedProgram, OnlyTheKernelThatRunsMustBeOneThatCanBeRecorded) {
    ProgramDevice device;
    add_argument(std::uint64_t{0});
    add_argument(0);
    request_.launch.kernel = "_Z5keepsPPii";
    const Result<gpu::Recording> refused = gpu::record_launch(device, request_, "/dev/null");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.diagnostics().front().line, 8);
    EXPECT_NE(refused.diagnostics().front().message.find("malloc"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::traced
