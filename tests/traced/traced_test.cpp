// Traced runs: the records of instrumented code decode to the trace that the CPU machine writes itself.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <span>

#include "base/files.h"
#include "compare.h"
#include "execution/run/run.h"
#include "gpu/served/machine_device.h"

namespace lanescope::traced {
namespace traced_test {

namespace fs = std::filesystem;

execution::RunRequest request_for(const std::string& name) {
    execution::RunRequest request;
    request.file = (fs::path(LANESCOPE_SOURCE_DIR) / name).string();
    Result<std::string> source = read_text_file(request.file);
    if (source) request.source = *source;
    return request;
}

// Runs plain and instrumented code on the CPU machine, and expects the same.
void expect_same(execution::RunRequest request) {
    const Result<execution::RunResult> plain = execution::execute(request);
    ASSERT_TRUE(plain) << to_text(plain.diagnostics());
    gpu::MachineDevice device;
    request.device = &device;
    const Result<execution::RunResult> traced = execution::execute(request);
    ASSERT_TRUE(traced) << to_text(traced.diagnostics());
    const Comparison compared = compare_threads(*plain->trace, *traced->trace);
    EXPECT_EQ(compared.difference, "") << request.file;
    EXPECT_GT(compared.items, compared.threads);
    EXPECT_TRUE(traced->fine());
    EXPECT_EQ(traced->notes, std::vector<std::string>());
    ASSERT_EQ(plain->buffers.size(), traced->buffers.size());
    for (std::size_t i = 0; i < plain->buffers.size(); ++i) {
        EXPECT_EQ(plain->buffers[i].contents, traced->buffers[i].contents);
        EXPECT_EQ(plain->buffers[i].set, traced->buffers[i].set);
    }
}

class Instrumented : public testing::TestWithParam<const char*> {};

TEST_P(Instrumented, every_thread_does_the_same) {
    expect_same(request_for(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Instrumented,
    testing::Values("kernels/first_steps/hello.cu", "kernels/first_steps/square_in_shared.cu",
                    "kernels/reduction/modulo.cu", "kernels/reduction/warp_shuffle.cu",
                    "kernels/reduction/grid_last_block.cu", "kernels/reduction/tree_relaunch.cu",
                    "kernels/scan/blelloch_padded.cu", "kernels/scan/three_phase.cu",
                    "kernels/histogram/privatised.cu", "kernels/convolution/tiled_2d.cu",
                    "kernels/convolution/basic_2d.cu", "kernels/transpose/tiled.cu", "kernels/atomics/zoo.cu",
                    "kernels/atomics/cas_loop.cu", "kernels/cooperation/last_block.cu",
                    "tests/corpus/k16_printf.cu", "tests/corpus/k18_templates_structs.cu",
                    "tests/corpus/k20_vector_ldg.cu", "tests/corpus/k21_control.cu",
                    "tests/corpus/k28_wmma.cu", "kernels/convolution/texture.cu",
                    "kernels/cooperation/dynamic_parallelism.cu", "tests/traced/kernels/texture_plane.cu",
                    "tests/traced/kernels/async_copy.cu", "tests/traced/kernels/barrier_object.cu",
                    "tests/traced/kernels/bulk_copy.cu", "tests/traced/kernels/matrix_rows.cu",
                    "tests/traced/kernels/tensor_core.cu", "tests/traced/kernels/device_malloc.cu",
                    "tests/traced/kernels/cluster_of_one.cu", "tests/traced/kernels/cluster_ring.cu",
                    "tests/traced/kernels/cluster_plane.cu", "tests/traced/kernels/cluster_cube.cu",
                    "tests/traced/kernels/child_grids.cu"),
    [](const auto& name) {
        std::string text = fs::path(name.param).parent_path().filename().string() + "_" +
                           fs::path(name.param).stem().string();
        return text;
    });

// A device with little room for records.
class SmallDevice : public gpu::MachineDevice {
  public:
    explicit SmallDevice(std::uint64_t record_bytes) : record_bytes_(record_bytes) {}
    std::uint64_t record_bytes() const override { return record_bytes_; }

  private:
    std::uint64_t record_bytes_;
};

// A device whose answers are damaged: some bytes of each piece of records that it gives.
class DamagedDevice : public gpu::MachineDevice {
  public:
    explicit DamagedDevice(unsigned seed) : random_(seed) {}
    Result<void> read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                           std::uint64_t rows, std::span<std::byte> bytes) override {
        Result<void> read = MachineDevice::read_rows(from, pitch_bytes, width_bytes, rows, bytes);
        constexpr unsigned changes = 4;
        for (unsigned i = 0; i < changes && !bytes.empty(); ++i)
            bytes[random_() % bytes.size()] = std::byte(random_());
        return read;
    }

  private:
    std::mt19937_64 random_;
};

TEST(Damaged, bad_records_are_errors_or_another_trace) {
    unsigned refused = 0;
    for (const char* const name :
         {"kernels/reduction/modulo.cu", "tests/corpus/k18_templates_structs.cu",
          "tests/corpus/k21_control.cu", "tests/traced/kernels/barrier_object.cu",
          "tests/traced/kernels/bulk_copy.cu", "tests/traced/kernels/child_grids.cu",
          "tests/traced/kernels/device_malloc.cu", "tests/traced/kernels/matrix_rows.cu"})
        for (unsigned seed = 1; seed <= 25; ++seed) {
            execution::RunRequest request = request_for(name);
            DamagedDevice device(seed);
            request.device = &device;
            const Result<execution::RunResult> run = execution::execute(request);
            if (run) continue;
            EXPECT_NE(to_text(run.diagnostics()).find("do not fit the program: record "), std::string::npos)
                << to_text(run.diagnostics());
            ++refused;
        }
    EXPECT_GT(refused, 20u);
}

// A record may name any instruction, also one that the program does not have.
class ForeignDevice : public gpu::MachineDevice {
  public:
    Result<void> read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                           std::uint64_t rows, std::span<std::byte> bytes) override {
        Result<void> read = MachineDevice::read_rows(from, pitch_bytes, width_bytes, rows, bytes);
        const std::size_t last = bytes.size() / sizeof(trace::Record) - 1;
        const trace::Record wrong{trace::record_head(trace::RecordKind::access, 0xfffffff), 0, 0};
        std::memcpy(bytes.data() + last / 2 * sizeof wrong, &wrong, sizeof wrong);
        return read;
    }
};

TEST(Damaged, bad_record_of_no_instruction_is_located) {
    execution::RunRequest request = request_for("kernels/reduction/modulo.cu");
    ForeignDevice device;
    request.device = &device;
    const Result<execution::RunResult> run = execution::execute(request);
    ASSERT_FALSE(run);
    const std::string text = to_text(run.diagnostics());
    EXPECT_NE(text.find("do not fit the program: record "), std::string::npos) << text;
    EXPECT_NE(text.find("is not one of this program"), std::string::npos) << text;
}

TEST(Instrumented, child_grids_without_room_are_counted) {
    execution::RunRequest request = request_for("tests/traced/kernels/child_rows.cu");
    request.parameters["rows"] = 64;
    SmallDevice device(200'000);
    request.device = &device;
    const Result<execution::RunResult> run = execution::execute(request);
    ASSERT_TRUE(run) << to_text(run.diagnostics());
    EXPECT_TRUE(run->fine());
    const std::size_t launches = run->trace->launches.size();
    EXPECT_GT(launches, 1u);
    EXPECT_LT(launches, 65u);
    ASSERT_EQ(run->notes.size(), 1u);
    EXPECT_EQ(run->notes.front(), "launch 1: " + std::to_string(65 - launches) +
                                      " grids that kernels launched are not in the trace, because their "
                                      "records did not fit");
}

// Clusters of which not all fit are recorded whole.
TEST(Instrumented, clusters_are_recorded_whole) {
    execution::RunRequest request = request_for("tests/traced/kernels/cluster_plane.cu");
    request.recorded_blocks = {7};
    gpu::MachineDevice device;
    request.device = &device;
    const Result<execution::RunResult> asked = execution::execute(request);
    ASSERT_TRUE(asked) << to_text(asked.diagnostics());
    EXPECT_EQ(asked->trace->launches.front().recorded_blocks, (std::vector<std::uint32_t>{2, 3, 6, 7}));
    EXPECT_EQ(asked->notes, std::vector<std::string>()) << "where the first block's variables lie is known";
    EXPECT_TRUE(asked->fine()) << (asked->problems.empty() ? "no problem" : asked->problems.front().message);
    request.recorded_blocks.clear();
    SmallDevice small(600'000);  // for one cluster
    request.device = &small;
    const Result<execution::RunResult> narrowed = execution::execute(request);
    ASSERT_TRUE(narrowed) << to_text(narrowed.diagnostics());
    EXPECT_EQ(narrowed->trace->launches.front().recorded_blocks, (std::vector<std::uint32_t>{0, 1, 4, 5}));
    EXPECT_EQ(narrowed->notes, std::vector<std::string>{"launch 1: 4 of 8 blocks are in the trace; "
                                                        "--record-blocks chooses others"});
}

TEST(Refused, bad_surfaces_with_their_line) {
    execution::RunRequest request;
    request.file = "surface.cu";
    request.source = "__global__ void keep(cudaSurfaceObject_t to) {\n    surf1Dwrite(3, to, 0);\n}\n";
    request.source =
        "/*--- lanescope\n[[launch]]\nkernel = \"keep\"\ngrid = [\"1\"]\nblock = [\"1\"]\n"
        "args = [1]\n---*/\n" +
        request.source;
    gpu::MachineDevice device;
    request.device = &device;
    const Result<execution::RunResult> refused = execution::execute(request);
    ASSERT_FALSE(refused);
    const Diagnostic& first = refused.diagnostics().front();
    EXPECT_NE(first.message.find("does not record 'sust.b.1d"), std::string::npos) << first.message;
    EXPECT_EQ(first.file, "surface.cu");
    EXPECT_NE(first.hint.find("--engine cpu"), std::string::npos);
}

}  // namespace traced_test
}  // namespace lanescope::traced
