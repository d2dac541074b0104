// The interface as a program uses it: what nvcc's code registers is made by hand.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "fat_binary_maker.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int, size_t size,
                       int constant, int);
}

namespace lanescope::cudart {
namespace api_test {

const char* const module_text = R"(.version 9.0
.target sm_90
.address_size 64
.visible .const .align 4 .b8 factor[4];
.visible .entry scale(.param .u64 out, .param .u32 n)
{
    .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r1;
    @%p ret;
    mul.wide.u32 %rd2, %r5, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r6, [%rd3];
    ld.const.u32 %r7, [factor];
    mul.lo.s32 %r6, %r6, %r7;
    st.global.u32 [%rd3], %r6;
    ret;
}
)";

struct Wrapper {
    int magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    const void* prelinked = nullptr;
};

char scale_stub, factor_shadow;

// The module of all tests, registered once, as constructors do it.
class Interface : public testing::Test {
  public:
    static void SetUpTestSuite() {
        static FatBinaryMaker binary;
        static Wrapper wrapper;
        if (wrapper.data != nullptr) return;
        binary.add(module_text, 90, Packing::zstd, false);
        wrapper.data = binary.bytes.data();
        void** module = __cudaRegisterFatBinary(&wrapper);
        __cudaRegisterFunction(module, &scale_stub, nullptr, "scale", -1, nullptr, nullptr, nullptr, nullptr,
                               nullptr);
        __cudaRegisterVar(module, &factor_shadow, nullptr, "factor", 0, 4, 1, 0);
        __cudaRegisterFatBinaryEnd(module);
    }
    void SetUp() override { ASSERT_EQ(cudaDeviceReset(), cudaSuccess); }
    void TearDown() override {
        cudaDeviceReset();
        cudaGetLastError();
    }

  protected:
    static cudaError_t scale(void* out, unsigned n, dim3 grid, dim3 block, cudaStream_t stream = nullptr) {
        void* arguments[] = {&out, &n};
        return cudaLaunchKernel(&scale_stub, grid, block, arguments, 0, stream);
    }
    static int* numbers(unsigned n) {
        void* made = nullptr;
        EXPECT_EQ(cudaMalloc(&made, n * sizeof(int)), cudaSuccess);
        std::vector<int> values(n);
        std::iota(values.begin(), values.end(), 0);
        EXPECT_EQ(cudaMemcpy(made, values.data(), n * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
        return static_cast<int*>(made);
    }
    static void set_factor(int value) {
        EXPECT_EQ(cudaMemcpyToSymbol(&factor_shadow, &value, sizeof value, 0, cudaMemcpyHostToDevice),
                  cudaSuccess);
    }
    static std::vector<int> read(const int* from, unsigned n) {
        std::vector<int> values(n);
        EXPECT_EQ(cudaMemcpy(values.data(), from, n * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
        return values;
    }
};

TEST_F(Interface, a_kernel_computes_in_memory_of_the_device) {
    int* const data = numbers(1000);
    set_factor(3);
    EXPECT_EQ(scale(data, 1000, 8, 128), cudaSuccess);
    const std::vector<int> values = read(data, 1000);
    for (int i = 0; i < 1000; ++i)
        ASSERT_EQ(values[static_cast<std::size_t>(i)], 3 * i);
    EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(Interface, memory_is_aligned_and_counted) {
    size_t before = 0, after = 0, total = 0;
    ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
    void *a = nullptr, *b = nullptr;
    ASSERT_EQ(cudaMalloc(&a, 1), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&b, 1 << 20), cudaSuccess);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a) % 256, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b) % 256, 0u);
    ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
    EXPECT_LT(after + (1 << 20), before + 1);
    EXPECT_EQ(cudaFree(a), cudaSuccess);
    EXPECT_EQ(cudaFree(b), cudaSuccess);
    EXPECT_EQ(cudaFree(b), cudaErrorInvalidValue) << "twice";
    ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
    EXPECT_EQ(after, before);
    EXPECT_EQ(cudaMalloc(&a, size_t{1} << 60), cudaErrorMemoryAllocation);
    size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&a, &pitch, 100, 7), cudaSuccess);
    EXPECT_EQ(pitch % 512, 0u);
}

TEST_F(Interface, bad_copies_are_errors) {
    int* const data = numbers(10);
    int host[16] = {};
    EXPECT_EQ(cudaMemcpy(data, host, 44, cudaMemcpyHostToDevice), cudaErrorInvalidValue) << "beyond the end";
    EXPECT_EQ(cudaMemcpy(data, host, 40, cudaMemcpyDeviceToHost), cudaErrorInvalidValue) << "wrong direction";
    EXPECT_EQ(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host, data, 40, static_cast<cudaMemcpyKind>(7)), cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaMemset(data + 9, 0, 8), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host, data + 9, 4, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(host[0], 9);
    EXPECT_EQ(cudaFree(data), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(host, data, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue) << "freed";
    int value = 0;
    EXPECT_EQ(cudaMemcpyToSymbol(&value, &value, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
    EXPECT_EQ(cudaMemcpyToSymbol(&factor_shadow, &host, 8, 0, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
}

TEST_F(Interface, rows_are_copied_with_their_pitches) {
    void* matrix = nullptr;
    size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&matrix, &pitch, 3 * sizeof(int), 2), cudaSuccess);
    const int from[8] = {1, 2, 3, -1, 4, 5, 6, -1};
    ASSERT_EQ(cudaMemcpy2D(matrix, pitch, from, 16, 12, 2, cudaMemcpyHostToDevice), cudaSuccess);
    int to[6] = {};
    ASSERT_EQ(cudaMemcpy2D(to, 12, matrix, pitch, 12, 2, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(std::vector<int>(to, to + 6), (std::vector<int>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(cudaMemcpy2D(to, 8, matrix, pitch, 12, 2, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
    ASSERT_EQ(cudaMemset2D(matrix, pitch, 0, 8, 2), cudaSuccess);
    ASSERT_EQ(cudaMemcpy2D(to, 12, matrix, pitch, 12, 2, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(std::vector<int>(to, to + 6), (std::vector<int>{0, 0, 3, 0, 0, 6}));
}

TEST_F(Interface, a_wrong_launch_is_an_error_of_the_launch_alone) {
    int* const data = numbers(4);
    EXPECT_EQ(scale(data, 4, 1, 2000), cudaErrorInvalidValue);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    char unknown = 0;
    EXPECT_EQ(cudaLaunchKernel(&unknown, 1, 1, nullptr, 0, nullptr), cudaErrorInvalidResourceHandle);
}

TEST_F(Interface, a_fault_is_found_when_the_program_waits_and_then_stays) {
    int* const data = numbers(4);
    set_factor(1);
    EXPECT_EQ(scale(data, 1'000'000, 4000, 256), cudaSuccess) << "the launch itself";
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    void* more = nullptr;
    EXPECT_EQ(cudaMalloc(&more, 4), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "no call since";
    EXPECT_EQ(cudaMalloc(&more, 4), cudaErrorIllegalAddress) << "it stays";
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&more, 4), cudaSuccess);
}

TEST_F(Interface, streams_and_events_are_told_from_other_pointers) {
    cudaStream_t stream = nullptr;
    cudaEvent_t first = nullptr, last = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&first), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&last), cudaSuccess);
    float ms = 0;
    EXPECT_EQ(cudaEventElapsedTime(&ms, first, last), cudaErrorInvalidResourceHandle) << "not recorded";
    EXPECT_EQ(cudaEventRecord(first, stream), cudaSuccess);
    int* const data = numbers(256);
    set_factor(2);
    EXPECT_EQ(scale(data, 256, 1, 256, stream), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(last, stream), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&ms, first, last), cudaSuccess);
    EXPECT_GT(ms, 0);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventDestroy(first), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(first, nullptr), cudaErrorInvalidResourceHandle);
}

TEST_F(Interface, a_captured_graph_is_replayed_with_the_arguments_of_its_capture) {
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    int* const data = numbers(4);
    set_factor(2);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(scale(data, 4, 1, 32, stream), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    EXPECT_EQ(read(data, 4), (std::vector<int>{0, 1, 2, 3})) << "captured, not run";
    cudaGraphExec_t instance = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
    EXPECT_EQ(read(data, 4), (std::vector<int>{0, 8, 16, 24}));
    EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaErrorInvalidValue);
}

TEST_F(Interface, managed_and_pinned_memory_is_seen_by_both_sides) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer occupies these addresses";
#endif
    void* memory = nullptr;
    ASSERT_EQ(cudaMallocManaged(&memory, 4096 * 3, cudaMemAttachGlobal), cudaSuccess);
    auto* const managed = static_cast<int*>(memory);
    for (int i = 0; i < 3072; ++i)
        managed[i] = i;
    set_factor(5);
    ASSERT_EQ(scale(managed, 3072, 12, 256), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(managed[3071], 5 * 3071);
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, managed + 5), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
    ASSERT_EQ(cudaFree(managed), cudaSuccess);

    ASSERT_EQ(cudaMallocHost(&memory, 64), cudaSuccess);
    auto* const pinned = static_cast<int*>(memory);
    std::fill_n(pinned, 16, 7);
    ASSERT_EQ(scale(pinned, 16, 1, 32), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(pinned[15], 35);
    EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue) << "it is the host's";
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(Interface, a_graph_runs_in_the_order_of_its_dependencies) {
    void* memory = nullptr;
    ASSERT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    std::array<int, 16> result{};
    cudaGraphNode_t copied = nullptr, scaled = nullptr, filled = nullptr;
    ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copied, graph, nullptr, 0, result.data(), memory, 64,
                                       cudaMemcpyDeviceToHost),
              cudaSuccess);
    unsigned count = 16;
    std::array<void*, 2> arguments{static_cast<void*>(&memory), static_cast<void*>(&count)};
    cudaKernelNodeParams kernel{};
    kernel.func = &scale_stub;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments.data();
    ASSERT_EQ(cudaGraphAddKernelNode(&scaled, graph, nullptr, 0, &kernel), cudaSuccess);
    count = 0;  // the node has the 16
    cudaMemsetParams fill{memory, 0, 0x102, 2, 32, 1};
    ASSERT_EQ(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill), cudaSuccess);
    ASSERT_EQ(cudaGraphAddDependencies(graph, &filled, &scaled, nullptr, 1), cudaSuccess);
    ASSERT_EQ(cudaGraphAddDependencies(graph, &scaled, &copied, nullptr, 1), cudaSuccess);
    EXPECT_EQ(cudaGraphAddDependencies(graph, &copied, &copied, nullptr, 1), cudaErrorInvalidValue);
    set_factor(3);
    cudaGraphExec_t instance = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
    EXPECT_EQ(result[0], 0);
    ASSERT_EQ(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(result[0], 3 * 0x1020102);
    EXPECT_EQ(result[15], 3 * 0x1020102);
    ASSERT_EQ(cudaGraphAddDependencies(graph, &copied, &filled, nullptr, 1), cudaSuccess);
    cudaGraphExec_t circle = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&circle, graph, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(Interface, a_graph_of_many_nodes_is_ordered_quickly_and_runs_in_that_order) {
    constexpr int nodes = 20000;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t instance = nullptr;
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    struct Step {
        int number, *next;
    };
    int next = 0;
    std::vector<Step> steps;
    steps.reserve(nodes);
    std::vector<cudaGraphNode_t> made(nodes);
    for (int i = 0; i < nodes; ++i) {  // the last one of the chain first
        steps.push_back({nodes - 1 - i, &next});
        const cudaHostNodeParams host{[](void* data) {
                                          const Step& step = *static_cast<Step*>(data);
                                          if (*step.next == step.number) ++*step.next;
                                      },
                                      &steps.back()};
        ASSERT_EQ(cudaGraphAddHostNode(&made[i], graph, nullptr, 0, &host), cudaSuccess);
        if (i == 0) continue;
        ASSERT_EQ(cudaGraphAddDependencies(graph, &made[i], &made[i - 1], nullptr, 1), cudaSuccess);
    }
    ASSERT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    EXPECT_EQ(next, nodes);
    EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Interface, an_instance_is_changed_without_its_graph) {
    int sum = 0;
    const auto adding = [](void* data) { *static_cast<int*>(data) += 1; };
    const auto adding_ten = [](void* data) { *static_cast<int*>(data) += 10; };
    cudaGraph_t graph = nullptr, other = nullptr, clone = nullptr;
    cudaGraphExec_t instance = nullptr;
    cudaGraphNode_t node = nullptr, child = nullptr, second = nullptr;
    cudaHostNodeParams host{adding, &sum};
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host), cudaSuccess);
    ASSERT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
    ASSERT_EQ(cudaGraphAddChildGraphNode(&child, graph, &node, 1, clone), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
    host.fn = adding_ten;
    EXPECT_EQ(cudaGraphExecHostNodeSetParams(instance, node, &host), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    EXPECT_EQ(sum, 11);  // ten, and one by the child
    cudaGraphExecUpdateResultInfo info{};
    EXPECT_EQ(cudaGraphExecUpdate(instance, graph, &info), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    EXPECT_EQ(sum, 13);
    ASSERT_EQ(cudaGraphAddHostNode(&second, other, nullptr, 0, &host), cudaSuccess);
    EXPECT_EQ(cudaGraphExecUpdate(instance, other, &info), cudaErrorGraphExecUpdateFailure);
    EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
    EXPECT_EQ(cudaGraphNodeSetEnabled(instance, node, 0), cudaErrorInvalidValue);  // the host's cannot be
    cudaGraphNodeParams conditional{};
    conditional.type = cudaGraphNodeTypeConditional;
    EXPECT_EQ(cudaGraphAddNode(&second, graph, nullptr, nullptr, 0, &conditional), cudaErrorNotSupported);
    EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
    for (cudaGraph_t each : {graph, other, clone})
        EXPECT_EQ(cudaGraphDestroy(each), cudaSuccess);
}

TEST_F(Interface, kernels_reach_registered_memory_of_the_host) {
    std::vector<int> values(3001, 2);
    void* device = nullptr;
    EXPECT_EQ(cudaHostGetDevicePointer(&device, values.data(), 0), cudaErrorInvalidValue);
    // Neither the beginning nor the end lies at a page.
    ASSERT_EQ(cudaHostRegister(values.data() + 1, 3000 * sizeof(int), cudaHostRegisterMapped), cudaSuccess);
    EXPECT_EQ(cudaHostRegister(values.data() + 2, 8, 0), cudaErrorHostMemoryAlreadyRegistered);
    ASSERT_EQ(cudaHostGetDevicePointer(&device, values.data() + 11, 0), cudaSuccess);
    set_factor(5);
    ASSERT_EQ(scale(static_cast<int*>(device), 2000, 20, 128), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(values[10], 2);
    EXPECT_EQ(values[11], 10);
    EXPECT_EQ(values[2010], 10);
    EXPECT_EQ(values[2011], 2);
    values[11] = 3;  // the kernel sees what the host writes, also through the host's pointer
    ASSERT_EQ(scale(values.data() + 11, 1, 1, 32), cudaSuccess);
    EXPECT_EQ(values[11], 15);
    int copied = 0;
    ASSERT_EQ(cudaMemcpy(&copied, device, sizeof copied, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(copied, 15);
    ASSERT_EQ(cudaMemset(device, 0, sizeof(int)), cudaSuccess);
    EXPECT_EQ(values[11], 0);
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, device), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
    EXPECT_EQ(attributes.hostPointer, values.data() + 11);
    EXPECT_EQ(cudaHostUnregister(values.data()), cudaErrorHostMemoryNotRegistered);
    EXPECT_EQ(cudaHostUnregister(values.data() + 1), cudaSuccess);
    EXPECT_EQ(cudaHostGetDevicePointer(&device, values.data() + 11, 0), cudaErrorInvalidValue);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, values.data() + 11), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
}

TEST_F(Interface, the_device_says_what_the_machine_is) {
    int count = 0, value = 0;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    EXPECT_EQ(count, 1);
    EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
    cudaDeviceProp properties{};
    ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    EXPECT_EQ(properties.warpSize, 32);
    EXPECT_EQ(properties.major, 9);
    ASSERT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    EXPECT_EQ(value, properties.multiProcessorCount);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, &scale_stub, 256, 0), cudaSuccess);
    EXPECT_EQ(value, 8);
    EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
    EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

}  // namespace api_test
}  // namespace lanescope::cudart
