// A launch of a program, recorded in the memory that the program has already.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "analysis/metrics.h"
#include "base/temporary_folder.h"
#include "compile/compiler.h"
#include "gpu/programs/recording.h"
#include "gpu/served/machine_device.h"
#include "trace/io.h"

namespace lanescope::traced {
namespace program_test {

constexpr const char* source = R"(
__constant__ int factor;
__device__ int calls;
__global__ void scale(int* data, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] = data[i] * factor;
}
__global__ void keeps(int** to, int size) {
    if (threadIdx.x == 0) to[0] = static_cast<int*>(malloc(size)), to[0][0] = ++calls;
}
__global__ void parent(int* data, int count) {
    if (threadIdx.x == 0) scale<<<1, 32>>>(data, count);
}
__global__ void invert(cudaTextureObject_t from, cudaSurfaceObject_t to, int* data) {
    int x = threadIdx.x % 4, y = threadIdx.x / 4;
    if (y > 1) return;
    surf2Dwrite(1 - tex2D<float>(from, x, y), to, x * 4, y);
    float back;
    surf2Dread(&back, to, 12 - x * 4, y, cudaBoundaryModeClamp);
    if (x == 0) data[y] = back;
}
__global__ void reduces(cudaSurfaceObject_t to) {
    asm volatile("sured.b.add.2d.u32.trap [%0, {%1, %1}], %1;" ::"l"(to), "r"(0));
}
)";

constexpr std::array<int, 4> before{1, 2, 3, 4};
constexpr int factor = 5, calls = 41;
constexpr unsigned width = 4, height = 2;
constexpr std::array<float, width * height> elements{1, 2, 3, 4, 5, 6, 7, 8};

simt::Image plane(std::uint64_t address) {
    simt::Image image;
    image.address = address;
    image.width = width;
    image.height = height;
    image.row_bytes = width * sizeof(float);
    image.slice_bytes = sizeof elements;
    return image;
}

// The program's memory: it appears when the code is loaded, because the machine is made then.
class ProgramDevice : public gpu::MachineDevice {
  public:
    Result<void> load(const std::string& ptx) override {
        if (Result<void> loaded = gpu::MachineDevice::load(ptx); !loaded) return loaded;
        if (Result<void> put = place(before, data_); !put) return put;
        if (Result<void> put = place(std::array{factor}, constant_); !put) return put;
        if (Result<void> put = place(std::array{calls}, variable_); !put) return put;
        if (Result<void> put = place(elements, from_); !put) return put;
        if (Result<void> put = place(elements, to_); !put) return put;
        simt::Texture read;
        read.image = plane(from_);
        const Result<std::uint64_t> texture = this->texture(read), surface = this->surface(plane(to_));
        texture_ = *texture;
        surface_ = *surface;
        return {};
    }
    Address data_ = 0, constant_ = 0, variable_ = 0, from_ = 0, to_ = 0;
    std::uint64_t texture_ = 0, surface_ = 0;

  private:
    template <class T, std::size_t count>
    Result<void> place(const std::array<T, count>& values, Address& address) {
        const Result<Address> made = allocate(sizeof values);
        if (!made) return made.diagnostics();
        address = *made;
        return write(address, std::as_bytes(std::span(values)));
    }
};

// An array's handle is the address of its elements.
class ProgramArrays : public gpu::ProgramArrays {
  public:
    explicit ProgramArrays(gpu::TraceDevice& device) : device_(device) {}
    Result<void> copy(std::uint64_t handle, const simt::Image& image, std::uint64_t memory,
                      bool back) override {
        return device_.copy(back ? handle : memory, back ? memory : handle, image.slice_bytes * image.depth);
    }

  private:
    gpu::TraceDevice& device_;
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
        ASSERT_TRUE(folder_);
        request_.code = &code_;
        request_.memory = &memory_;
        request_.launch.kernel = "_Z5scalePii";
        request_.launch.grid = {1, 1, 1};
        request_.launch.block = {32, 1, 1};
    }

    template <class T>
    void add_argument(const T& value) {
        const std::span<const std::byte> bytes = std::as_bytes(std::span(&value, 1));
        request_.launch.arguments.emplace_back(bytes.begin(), bytes.end());
    }

    // Tells the device's addresses, which the arguments need: code for the same kernel has the same ones.
    void find_memory(const char* kernel, std::initializer_list<std::size_t> argument_bytes) {
        request_.launch.kernel = kernel;
        for (const std::size_t bytes : argument_bytes)
            request_.launch.arguments.emplace_back(bytes);
        (void)gpu::record_launch(device_, arrays_, request_, "/dev/null");
        request_.launch.arguments.clear();
        memory_.add(device_.data_, sizeof before, "device");
        request_.variables = {{"factor", device_.constant_}, {"calls", device_.variable_}};
    }

    template <class T>
    T now(std::uint64_t address) {
        T value{};
        EXPECT_TRUE(device_.read(address, std::as_writable_bytes(std::span(&value, 1))));
        return value;
    }

    std::shared_ptr<const trace::Trace> record() {
        const std::filesystem::path file = folder_->path() / "launch-0.trace";
        const Result<gpu::Recording> made = gpu::record_launch(device_, arrays_, request_, file);
        EXPECT_TRUE(made) << to_text(made.diagnostics());
        if (!made) return nullptr;
        EXPECT_EQ(made->outcome.ending, simt::Ending::finished);
        EXPECT_GT(made->outcome.warp_instructions, 10u);
        EXPECT_EQ(made->notes, std::vector<std::string>());
        kept_ = made->kept;
        const Result<std::shared_ptr<const trace::Trace>> opened = trace::open(file);
        EXPECT_TRUE(opened) << to_text(opened.diagnostics());
        return opened ? *opened : nullptr;
    }

    Result<TemporaryFolder> folder_ = TemporaryFolder::create();
    ProgramDevice device_;
    ProgramArrays arrays_{device_};
    bool kept_ = false;
    cudart::DeviceCode code_;
    gpu::ProgramMemory memory_;
    gpu::RecordingRequest request_;
};

const trace::Symbol* symbol_of(const trace::Trace& trace, const std::string& name) {
    for (const trace::Symbol& each : trace.symbols)
        if (each.name == name) return &each;
    return nullptr;
}

TEST_F(RecordedProgram, has_the_programs_memory_and_gives_it_back) {
    find_memory("_Z5scalePii", {8, 4});
    add_argument(std::uint64_t{device_.data_});
    add_argument(static_cast<int>(before.size()));
    const auto trace = record();
    ASSERT_TRUE(trace);
    EXPECT_FALSE(kept_);
    EXPECT_EQ((now<std::array<int, 4>>(device_.data_)), before);
    EXPECT_EQ(trace->program.engine, "instrumented CPU");
    ASSERT_EQ(trace->launches.size(), 1u);
    const trace::Symbol* symbol = symbol_of(*trace, "device 0");
    ASSERT_NE(symbol, nullptr);
    EXPECT_EQ(symbol->size_bytes, sizeof before);
}

TEST_F(RecordedProgram, launches_of_its_kernels_are_in_the_trace) {
    find_memory("_Z6parentPii", {8, 4});
    add_argument(std::uint64_t{device_.data_});
    add_argument(static_cast<int>(before.size()));
    const auto trace = record();
    ASSERT_TRUE(trace);
    ASSERT_EQ(trace->launches.size(), 2u);
    EXPECT_NE(trace->launches[1].kernel.find("scale (from parent"), std::string::npos);
    EXPECT_EQ((now<std::array<int, 4>>(device_.data_)), before);
}

// No other run could take the same memory of the heap.
TEST_F(RecordedProgram, a_launch_that_allocates_is_the_recording_itself) {
    find_memory("_Z5keepsPPii", {8, 4});
    add_argument(std::uint64_t{device_.data_});
    add_argument(64);
    ASSERT_TRUE(record());
    EXPECT_TRUE(kept_);
    EXPECT_EQ(now<int>(device_.variable_), calls + 1);
    EXPECT_EQ(now<int>(now<std::uint64_t>(device_.data_)), calls + 1);
}

TEST_F(RecordedProgram, textures_and_surfaces_show_the_elements_of_their_arrays) {
    find_memory("_Z6invertyyPi", {8, 8, 8});
    const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
    const auto array = [](std::uint64_t address) { return reinterpret_cast<cudaArray_t>(address); };
    memory_.add_array(array(device_.from_), {format, {width, height, 0}, 0});
    memory_.add_array(array(device_.to_), {format, {width, height, 0}, cudaArraySurfaceLoadStore});
    cudaResourceDesc from{}, to{};
    from.resType = to.resType = cudaResourceTypeArray;
    from.res.array.array = array(device_.from_);
    to.res.array.array = array(device_.to_);
    memory_.add_texture(device_.texture_, {from, {}, false});
    memory_.add_surface(device_.surface_, to);
    add_argument(device_.texture_);
    add_argument(device_.surface_);
    add_argument(std::uint64_t{device_.data_});
    const auto trace = record();  // every byte that changed is explained: there are no notes
    ASSERT_TRUE(trace);
    const trace::Symbol *read = symbol_of(*trace, "array 1"), *written = symbol_of(*trace, "array 2");
    ASSERT_TRUE(read != nullptr && written != nullptr);
    EXPECT_EQ(written->extents, (std::vector<std::uint64_t>{height, width}));
    const analysis::Report report = analysis::measure(*trace, analysis::Code(trace->program));
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> used;
    for (const analysis::ArrayMetrics& each : report.arrays[0])
        used[each.name] = {each.loads, each.stores};
    EXPECT_EQ(used[read->name], std::pair(8ul, 0ul));
    EXPECT_EQ(used[written->name], std::pair(8ul, 8ul));
    EXPECT_EQ((now<std::array<float, 8>>(device_.to_)), elements);
}

TEST_F(RecordedProgram, only_the_kernel_that_runs_must_be_one_that_can_be_recorded) {
    find_memory("_Z7reducesy", {8});
    add_argument(device_.surface_);
    const Result<gpu::Recording> refused = gpu::record_launch(device_, arrays_, request_, "/dev/null");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.diagnostics().front().message.find("sured"), std::string::npos);
}

}  // namespace program_test
}  // namespace lanescope::traced
