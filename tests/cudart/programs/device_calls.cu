// Calls about what persists in the L2 cache and about the default stream of each thread, and what each returns: a line each. On a GPU
// with NVIDIA's runtime this makes the recording with which the CPU machine is compared. The word names a section.
#include <cstdio>
#include <cstring>
#include <thread>

static int calls = 0;
#define CALL(expression) std::printf("%3d %-10s %s\n", ++calls, short_name(expression), #expression)
#define SECTION(name) std::printf("%3d %-10s last error before: %s\n", ++calls, short_name(cudaGetLastError()), name)

static const char* short_name(cudaError_t error) {
    static char text[64];
    const char* name = cudaGetErrorName(error);
    std::snprintf(text, sizeof text, "%s", std::strncmp(name, "cudaError", 9) == 0 ? name + 9 : name + 4);
    return text;
}
static void tell(const char* what, long long value) {
    std::printf("%3d %-10lld %s\n", ++calls, value, what);
}

__global__ void increment(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}

static void persisting() {
    SECTION("persisting");
    cudaDeviceProp properties{};
    int value = -1;
    size_t limit = 99;
    CALL(cudaGetDeviceProperties(&properties, 0));
    tell("L2", properties.l2CacheSize);
    tell("persisting at most", properties.persistingL2CacheMaxSize);
    tell("window at most", properties.accessPolicyMaxWindowSize);
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMaxPersistingL2CacheSize, 0));
    tell("persisting at most", value);
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMaxAccessPolicyWindowSize, 0));
    tell("window at most", value);
    CALL(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
    tell("limit", limit);
    for (const size_t wanted : {size_t{1}, size_t{1} << 20, size_t{3} << 20, size_t{16} << 20, size_t{1} << 30}) {
        CALL(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, wanted));
        CALL(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
        tell("limit", limit);
    }
    CALL(cudaCtxResetPersistingL2Cache());
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int* memory;
    cudaMalloc(&memory, 1 << 20);
    cudaStreamAttrValue set{}, got{};
    CALL(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &got));
    tell("bytes", got.accessPolicyWindow.num_bytes);
    set.accessPolicyWindow.base_ptr = memory;
    set.accessPolicyWindow.num_bytes = 1 << 20;
    set.accessPolicyWindow.hitRatio = 0.5f;
    set.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    set.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    CALL(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &set));
    CALL(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &got));
    tell("bytes", got.accessPolicyWindow.num_bytes);
    tell("hits", got.accessPolicyWindow.hitProp);
    tell("half", got.accessPolicyWindow.hitRatio == 0.5f);
    set.accessPolicyWindow.num_bytes = size_t{1} << 30;
    CALL(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &set));
    set.accessPolicyWindow.num_bytes = 1 << 20;
    set.accessPolicyWindow.hitRatio = 1.5f;
    CALL(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &set));
    set.accessPolicyWindow.hitRatio = 1;
    set.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
    CALL(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &set));
    set.accessPolicyWindow.num_bytes = 0;
    set.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
    CALL(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &set));
    set.syncPolicy = cudaSyncPolicySpin;
    CALL(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &set));
    set.priority = -3;
    CALL(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &set));
    CALL(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &got));
    tell("priority", got.priority);
    CALL(cudaStreamSetAttribute(stream, (cudaStreamAttrID)99, &set));
    cudaStream_t other;
    cudaStreamCreate(&other);
    CALL(cudaStreamCopyAttributes(other, stream));
}

static void default_streams() {
    SECTION("default streams");
    unsigned long long legacy = 0, own = 0, none = 0, others = 0;
    unsigned flags = 9;
    int priority = 9;
    CALL(cudaStreamGetId(cudaStreamLegacy, &legacy));
    CALL(cudaStreamGetId(cudaStreamPerThread, &own));
    CALL(cudaStreamGetId(nullptr, &none));
    tell("the thread's is another one than the legacy one", own != legacy);
    tell("null is the legacy one", none == legacy);
    tell("null is the thread's", none == own);
    std::thread([&] { cudaStreamGetId(cudaStreamPerThread, &others); }).join();
    tell("each thread has its own", others != own);
    CALL(cudaStreamGetFlags(cudaStreamPerThread, &flags));
    tell("flags", flags);
    CALL(cudaStreamGetFlags(nullptr, &flags));
    tell("flags", flags);
    CALL(cudaStreamGetPriority(cudaStreamPerThread, &priority));
    tell("priority", priority);
    CALL(cudaStreamDestroy(cudaStreamPerThread));
    CALL(cudaStreamSynchronize(cudaStreamPerThread));
    CALL(cudaStreamQuery(cudaStreamPerThread));
    int *values, host[32] = {};
    cudaGraph_t graph = nullptr;
    size_t nodes = 0;
    cudaMalloc(&values, sizeof host);
    cudaMemset(values, 0, sizeof host);
    CALL(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal));
    increment<<<1, 32, 0, cudaStreamPerThread>>>(values, 32);
    CALL(cudaGetLastError());
    CALL(cudaStreamEndCapture(cudaStreamPerThread, &graph));
    CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
    tell("nodes", nodes);
    CALL(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
    increment<<<1, 32>>>(values, 32);
    CALL(cudaGetLastError());
    CALL(cudaStreamEndCapture(nullptr, &graph));
    CALL(cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDeviceToHost, nullptr));
    CALL(cudaStreamSynchronize(nullptr));
    tell("value", host[31]);
    CALL(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    const char* wanted = argc > 1 ? argv[1] : "persisting";
    if (!std::strcmp(wanted, "persisting")) persisting();
    if (!std::strcmp(wanted, "streams")) default_streams();
}
