// Calls of CUDA's runtime, good, bad and out of order, and what each returns: a line each. On a GPU with NVIDIA's runtime this
// makes the recording with which the CPU machine is compared.
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstring>

static int calls = 0;
#define CALL(expression) std::printf("%3d %-10s %s\n", ++calls, short_name(expression), #expression)
#define SECTION(name)                                                        \
    std::printf("%3d %-10s last error before: %s\n", ++calls, short_name(cudaGetLastError()), name)

static const char* short_name(cudaError_t error) {
    static char text[64];
    const char* name = cudaGetErrorName(error);
    std::snprintf(text, sizeof text, "%s", std::strncmp(name, "cudaError", 9) == 0 ? name + 9 : name + 4);
    return text;
}
static void tell(const char* what, long long value) {
    std::printf("%3d %-10lld %s\n", ++calls, value, what);
}

__device__ int counter = 3;
__constant__ float weights[4];
__managed__ int shared_total = 5;
static int not_a_symbol;

__global__ void increment(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}
__global__ void with_shared(int* out) {
    extern __shared__ int room[];
    room[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(128) bounded(int* out) {
    out[threadIdx.x] = 1;
}
__global__ void far_store(int* out) {
    out[1ull << 36] = 1;
}
__global__ void odd_store(char* out) {
    *reinterpret_cast<int*>(out + 1) = 1;
}
__global__ void trapped() {
    asm volatile("trap;");
}
__global__ void failed_assertion(int x) {
    assert(x == 2);
}
static void host_function(void* data) {
    ++*static_cast<int*>(data);
}
static void callback(cudaStream_t, cudaError_t status, void* data) {
    *static_cast<int*>(data) += status == cudaSuccess ? 10 : 1000;
}

static void memory() {
    SECTION("memory");
    int *a = nullptr, *b = nullptr, host[64] = {};
    void* pointer = nullptr;
    CALL(cudaMalloc(&a, sizeof host));
    CALL(cudaMalloc(&b, sizeof host));
    CALL(cudaMalloc((void**)nullptr, 4));
    CALL(cudaMalloc(&pointer, 0));
    tell("cudaMalloc of nothing gives null", pointer == nullptr);
    CALL(cudaMalloc(&pointer, size_t{1} << 60));
    CALL(cudaGetLastError());
    CALL(cudaGetLastError());
    tell("alignment of cudaMalloc is at least 256", reinterpret_cast<uintptr_t>(b) % 256 == 0);
    CALL(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(b, a, sizeof host, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(host, b, sizeof host, cudaMemcpyDefault));
    CALL(cudaMemcpy(b, host, sizeof host, cudaMemcpyDefault));
    CALL(cudaMemcpy(host + 32, host, 64, cudaMemcpyHostToHost));
    CALL(cudaMemcpy(a, host, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(nullptr, host, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(a, nullptr, 4, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(a, host, sizeof host, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(host, a, sizeof host, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(a, host, 4, static_cast<cudaMemcpyKind>(17)));
    CALL(cudaGetLastError());
    CALL(cudaMemset(a, 1, sizeof host));
    CALL(cudaMemset(a, 1, 0));
    CALL(cudaMemset(nullptr, 1, 4));
    CALL(cudaMemset(nullptr, 1, 0));
    CALL(cudaMemset(host, 1, 4));
    CALL(cudaGetLastError());
    CALL(cudaFree(nullptr));
    CALL(cudaFree(host));
    CALL(cudaFree(a + 1));
    CALL(cudaFree(a));
    CALL(cudaFree(a));
    CALL(cudaMemcpy(host, a, 4, cudaMemcpyDeviceToHost));
    CALL(cudaFree(b));
    CALL(cudaGetLastError());
    size_t free = 0, total = 0;
    CALL(cudaMemGetInfo(&free, &total));
    tell("some memory is free", free > 0 && free <= total);
}

static void pitched() {
    SECTION("pitched memory");
    void* matrix = nullptr;
    size_t pitch = 0;
    int host[6] = {1, 2, 3, 4, 5, 6};
    CALL(cudaMallocPitch(&matrix, &pitch, 12, 2));
    tell("pitch", pitch);
    CALL(cudaMemcpy2D(matrix, pitch, host, 12, 12, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(host, 12, matrix, pitch, 12, 2, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy2D(host, 8, matrix, pitch, 12, 2, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy2D(host, 12, matrix, pitch, 0, 2, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy2D(host, 12, matrix, pitch, 12, 0, cudaMemcpyDeviceToHost));
    CALL(cudaMemset2D(matrix, pitch, 0, 12, 2));
    CALL(cudaMemset2D(matrix, 4, 0, 12, 2));
    CALL(cudaMallocPitch(nullptr, &pitch, 12, 2));
    CALL(cudaMallocPitch(&matrix, nullptr, 12, 2));
    CALL(cudaFree(matrix));
    cudaPitchedPtr box;
    CALL(cudaMalloc3D(&box, make_cudaExtent(100, 3, 2)));
    tell("pitch in three dimensions", box.pitch);
    tell("rows", box.ysize);
    CALL(cudaMemset3D(box, 0, make_cudaExtent(100, 3, 2)));
    CALL(cudaFree(box.ptr));
    CALL(cudaGetLastError());
}

static void host_memory() {
    SECTION("host and managed memory");
    int *pinned = nullptr, *managed = nullptr, plain[4] = {};
    void* alias = nullptr;
    unsigned flags = 0;
    CALL(cudaMallocHost(&pinned, 64));
    CALL(cudaHostGetDevicePointer(&alias, pinned, 0));
    tell("the device uses the same address", alias == pinned);
    CALL(cudaHostGetDevicePointer(&alias, plain, 0));
    CALL(cudaHostGetFlags(&flags, pinned));
    CALL(cudaHostGetFlags(&flags, plain));
    CALL(cudaFree(pinned));
    CALL(cudaFreeHost(pinned));
    CALL(cudaFreeHost(pinned));
    CALL(cudaFreeHost(nullptr));
    CALL(cudaFreeHost(plain));
    CALL(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped));
    CALL(cudaFreeHost(pinned));
    CALL(cudaHostAlloc(&pinned, 64, 0x1000));
    CALL(cudaMallocManaged(&managed, 64));
    CALL(cudaMallocManaged(&managed, 0));
    CALL(cudaMallocManaged(&managed, 64, 77));
    CALL(cudaMallocManaged(&managed, 64));
    managed[3] = 41;
    increment<<<1, 16>>>(managed, 16);
    CALL(cudaDeviceSynchronize());
    tell("managed memory after the kernel", managed[3]);
    cudaPointerAttributes attributes;
    CALL(cudaPointerGetAttributes(&attributes, managed));
    tell("type of managed memory", attributes.type);
    CALL(cudaPointerGetAttributes(&attributes, plain));
    tell("type of the host's memory", attributes.type);
    CALL(cudaPointerGetAttributes(nullptr, plain));
    CALL(cudaMemcpy(plain, managed, 16, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(plain, managed, 16, cudaMemcpyHostToHost));
    CALL(cudaFree(managed));
    CALL(cudaGetLastError());
}

static void symbols() {
    SECTION("symbols");
    int value = 9;
    float four[4] = {1, 2, 3, 4};
    void* place = nullptr;
    size_t bytes = 0;
    CALL(cudaMemcpyToSymbol(counter, &value, 4));
    value = 0;
    CALL(cudaMemcpyFromSymbol(&value, counter, 4));
    tell("counter", value);
    CALL(cudaMemcpyToSymbol(weights, four, 16));
    CALL(cudaMemcpyToSymbol(weights, four, 8, 8));
    CALL(cudaMemcpyToSymbol(weights, four, 16, 8));
    CALL(cudaMemcpyToSymbol(weights, four, 20));
    CALL(cudaMemcpyToSymbol(not_a_symbol, &value, 4));
    CALL(cudaMemcpyFromSymbol(four, weights, 16));
    CALL(cudaGetSymbolAddress(&place, counter));
    CALL(cudaGetSymbolAddress(&place, not_a_symbol));
    CALL(cudaGetSymbolSize(&bytes, weights));
    tell("bytes of weights", bytes);
    tell("a managed variable", shared_total);
    CALL(cudaGetLastError());
}

static void launches() {
    SECTION("launches");
    int *values = nullptr, host[256];
    CALL(cudaMalloc(&values, sizeof host));
    CALL(cudaMemset(values, 0, sizeof host));
    increment<<<1, 256>>>(values, 256);
    CALL(cudaGetLastError());
    increment<<<0, 256>>>(values, 256);
    CALL(cudaGetLastError());
    increment<<<1, 0>>>(values, 256);
    CALL(cudaGetLastError());
    increment<<<1, 1025>>>(values, 256);
    CALL(cudaPeekAtLastError());
    CALL(cudaDeviceSynchronize());
    CALL(cudaGetLastError());
    increment<<<dim3(1, 65536), 1>>>(values, 256);
    CALL(cudaGetLastError());
    increment<<<dim3(1, 1, 65536), 1>>>(values, 256);
    CALL(cudaGetLastError());
    increment<<<1, dim3(1, 1, 65)>>>(values, 256);
    CALL(cudaGetLastError());
    with_shared<<<1, 64, 64 * 4>>>(values);
    CALL(cudaGetLastError());
    with_shared<<<1, 64, 48 << 10>>>(values);
    CALL(cudaGetLastError());
    with_shared<<<1, 64, (48 << 10) + 4>>>(values);
    CALL(cudaGetLastError());
    CALL(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    with_shared<<<1, 64, 64 << 10>>>(values);
    CALL(cudaGetLastError());
    with_shared<<<1, 64, (64 << 10) + 4>>>(values);
    CALL(cudaGetLastError());
    CALL(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    CALL(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    bounded<<<1, 128>>>(values);
    CALL(cudaGetLastError());
    bounded<<<1, 129>>>(values);
    CALL(cudaGetLastError());
    cudaFuncAttributes attributes;
    CALL(cudaFuncGetAttributes(&attributes, bounded));
    tell("threads of a bounded kernel", attributes.maxThreadsPerBlock);
    CALL(cudaFuncGetAttributes(&attributes, (const void*)&not_a_symbol));
    CALL(cudaFuncGetAttributes(nullptr, bounded));
    void* arguments[] = {&values, nullptr};
    int n = 256;
    arguments[1] = &n;
    CALL(cudaLaunchKernel((const void*)increment, dim3(1), dim3(256), arguments, 0, nullptr));
    CALL(cudaLaunchKernel((const void*)&not_a_symbol, dim3(1), dim3(256), arguments, 0, nullptr));
    CALL(cudaLaunchCooperativeKernel((const void*)increment, dim3(2), dim3(128), arguments, 0, nullptr));
    CALL(cudaLaunchCooperativeKernel((const void*)increment, dim3(100000), dim3(1024), arguments, 0, nullptr));
    cudaLaunchConfig_t configuration = {};
    configuration.gridDim = 1;
    configuration.blockDim = 256;
    CALL(cudaLaunchKernelExC(&configuration, (const void*)increment, arguments));
    int blocks = 0;
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, increment, 256, 0));
    tell("resident blocks of 256 threads", blocks);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, increment, 1024, 0));
    tell("resident blocks of 1024 threads", blocks);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 64, 64 << 10));
    tell("resident blocks with 64 KiB", blocks);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, increment, 0, 0));
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, increment, 2048, 0));
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, increment, 256, 0));
    CALL(cudaFree(values));
    CALL(cudaGetLastError());
}

static void streams() {
    SECTION("streams and events");
    cudaStream_t stream = nullptr, other = nullptr;
    cudaEvent_t first = nullptr, last = nullptr, untimed = nullptr;
    int count = 0, priority = 1, *values = nullptr, host[64] = {};
    unsigned flags = 7;
    float ms = -1;
    cudaMalloc(&values, sizeof host);
    CALL(cudaStreamCreate(&stream));
    CALL(cudaStreamCreate(nullptr));
    CALL(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CALL(cudaStreamGetFlags(other, &flags));
    tell("flags", flags);
    CALL(cudaStreamGetFlags(other, nullptr));
    CALL(cudaStreamDestroy(other));
    CALL(cudaStreamCreateWithFlags(&other, 1234));
    CALL(cudaStreamCreateWithPriority(&other, cudaStreamDefault, -1));
    CALL(cudaStreamGetPriority(other, &priority));
    tell("priority", priority);
    CALL(cudaEventCreate(&first));
    CALL(cudaEventCreate(&last));
    CALL(cudaEventCreate(nullptr));
    CALL(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    CALL(cudaEventCreateWithFlags(&untimed, 1234));
    CALL(cudaEventQuery(first));
    CALL(cudaEventSynchronize(first));
    CALL(cudaEventElapsedTime(&ms, first, last));
    CALL(cudaEventRecord(first, stream));
    CALL(cudaMemcpyAsync(values, host, sizeof host, cudaMemcpyHostToDevice, stream));
    increment<<<1, 64, 0, stream>>>(values, 64);
    CALL(cudaGetLastError());
    CALL(cudaEventRecord(last, stream));
    CALL(cudaStreamWaitEvent(other, last, 0));
    CALL(cudaStreamWaitEvent(other, last, 99));
    CALL(cudaStreamWaitEvent(other, nullptr, 0));
    CALL(cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDeviceToHost, other));
    CALL(cudaStreamSynchronize(other));
    tell("value", host[63]);
    CALL(cudaEventElapsedTime(&ms, first, last));
    tell("time is not negative", ms >= 0);
    CALL(cudaEventElapsedTime(nullptr, first, last));
    CALL(cudaEventRecord(untimed, stream));
    CALL(cudaEventElapsedTime(&ms, first, untimed));
    CALL(cudaEventRecord(nullptr, stream));
    CALL(cudaLaunchHostFunc(stream, host_function, &count));
    CALL(cudaLaunchHostFunc(stream, nullptr, &count));
    CALL(cudaStreamAddCallback(stream, callback, &count, 0));
    CALL(cudaStreamAddCallback(stream, callback, &count, 5));
    CALL(cudaStreamSynchronize(stream));
    tell("what the host's functions did", count);
    CALL(cudaStreamQuery(stream));
    CALL(cudaMemsetAsync(values, 0, 16, stream));
    CALL(cudaMallocAsync((void**)&values, 64, stream));
    CALL(cudaFreeAsync(values, stream));
    CALL(cudaStreamSynchronize(stream));
    CALL(cudaEventDestroy(first));
    CALL(cudaEventDestroy(nullptr));
    CALL(cudaStreamDestroy(stream));
    CALL(cudaStreamDestroy(nullptr));
    CALL(cudaGetLastError());
}

static void graphs() {
    SECTION("capture and graphs");
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t instance = nullptr;
    cudaStreamCaptureStatus status;
    int *values = nullptr, host[32] = {};
    cudaMalloc(&values, sizeof host);
    cudaMemset(values, 0, sizeof host);
    cudaStreamCreate(&stream);
    CALL(cudaStreamEndCapture(stream, &graph));
    CALL(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    CALL(cudaStreamIsCapturing(stream, &status));
    tell("status", status);
    increment<<<1, 32, 0, stream>>>(values, 32);
    increment<<<1, 32, 0, stream>>>(values, 32);
    CALL(cudaGetLastError());
    CALL(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
    tell("nodes", nodes);
    CALL(cudaGraphInstantiate(&instance, graph, 0));
    CALL(cudaGraphInstantiate(nullptr, graph, 0));
    CALL(cudaGraphInstantiate(&instance, nullptr, 0));
    CALL(cudaGraphLaunch(instance, stream));
    CALL(cudaGraphLaunch(instance, stream));
    CALL(cudaGraphLaunch(nullptr, stream));
    CALL(cudaStreamSynchronize(stream));
    CALL(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
    tell("value", host[31]);
    CALL(cudaGraphExecDestroy(instance));
    CALL(cudaGraphDestroy(graph));
    CALL(cudaStreamDestroy(stream));
    CALL(cudaFree(values));
    CALL(cudaGetLastError());
}

static void devices() {
    SECTION("devices");
    int number = -1, value = 0;
    size_t limit = 0;
    cudaDeviceProp properties;
    CALL(cudaGetDevice(&number));
    tell("device", number);
    CALL(cudaGetDevice(nullptr));
    CALL(cudaGetDeviceCount(nullptr));
    CALL(cudaSetDevice(0));
    CALL(cudaSetDevice(99));
    CALL(cudaSetDevice(-1));
    CALL(cudaGetDeviceProperties(&properties, 0));
    tell("warp", properties.warpSize);
    tell("threads of a block", properties.maxThreadsPerBlock);
    tell("shared memory of a block", properties.sharedMemPerBlock);
    tell("multiprocessors", properties.multiProcessorCount);
    CALL(cudaGetDeviceProperties(&properties, 99));
    CALL(cudaGetDeviceProperties(nullptr, 0));
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
    tell("threads of a multiprocessor", value);
    CALL(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0));
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));
    CALL(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
    CALL(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    CALL(cudaDeviceGetLimit(&limit, static_cast<cudaLimit>(1000)));
    CALL(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
    CALL(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    CALL(cudaDeviceEnablePeerAccess(0, 0));
    CALL(cudaDeviceCanAccessPeer(&value, 0, 0));
    CALL(cudaFuncSetCacheConfig(increment, cudaFuncCachePreferShared));
    CALL(cudaRuntimeGetVersion(nullptr));
    CALL(cudaGetLastError());
}

// Each ends the context, and with it what the process can do.
static void far_fault() {
    SECTION("a store far away");
    int *values = nullptr, host[4];
    CALL(cudaMalloc(&values, 64));
    far_store<<<1, 1>>>(values);
    CALL(cudaGetLastError());
    CALL(cudaDeviceSynchronize());
    CALL(cudaPeekAtLastError());
    CALL(cudaGetLastError());
    CALL(cudaGetLastError());
    CALL(cudaMalloc(&values, 64));
    CALL(cudaMemcpy(host, values, 4, cudaMemcpyDeviceToHost));
    CALL(cudaGetLastError());
    CALL(cudaFree(values));
    CALL(cudaStreamSynchronize(nullptr));
}

static void misaligned_fault() {
    SECTION("a misaligned store");
    int *values = nullptr, host[4];
    CALL(cudaMalloc(&values, 64));
    odd_store<<<1, 1>>>(reinterpret_cast<char*>(values));
    CALL(cudaMemcpy(host, values, 4, cudaMemcpyDeviceToHost));
    CALL(cudaPeekAtLastError());
    increment<<<1, 1>>>(values, 1);
    CALL(cudaGetLastError());
}

static void trap_fault() {
    SECTION("a trap");
    int* values = nullptr;
    CALL(cudaMalloc(&values, 64));
    trapped<<<1, 1>>>();
    CALL(cudaStreamSynchronize(nullptr));
    CALL(cudaMemset(values, 0, 64));
}

static void assert_fault() {
    SECTION("an assertion");
    failed_assertion<<<1, 1>>>(1);
    CALL(cudaDeviceSynchronize());
    CALL(cudaGetLastError());
}

// The sections that are named, else all: "devices", "memory" … Those that end the context need a process each.
int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);  // a call that crashes must not cost the lines before it
    const struct {
        const char* name;
        void (*run)();
    } sections[] = {{"devices", devices}, {"memory", memory},     {"pitched", pitched},
                    {"host", host_memory}, {"symbols", symbols},   {"launches", launches},
                    {"streams", streams},  {"graphs", graphs},     {"far", far_fault},
                    {"odd", misaligned_fault}, {"trap", trap_fault}, {"assert", assert_fault}};
    for (const auto& section : sections) {
        bool wanted = argc == 1;
        for (int i = 1; i < argc; ++i)
            wanted = wanted || std::strcmp(argv[i], section.name) == 0;
        if (wanted) section.run();
    }
    std::printf("%d lines\n", calls);
}
