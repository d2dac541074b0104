// Calls about graphs, good, bad and out of order, what each returns, and what the graphs compute: a line
// each. On a GPU with NVIDIA's runtime this makes the recording with which the CPU machine is compared. The
// word names a section.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static int calls = 0;
#define CALL(expression) std::printf("%3d %-10s %s\n", ++calls, short_name(expression), #expression)
#define SECTION(name) \
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

__device__ int variable = 3;

__global__ void add(int* values, int n, int term) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += term;
}
__global__ void twice(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2;
}
static void CUDART_CB host_add(void* data) {
    ++*static_cast<int*>(data);
}
static void CUDART_CB host_add_ten(void* data) {
    *static_cast<int*>(data) += 10;
}

// Memory, nodes of most kinds in a chain, and their parameters.
struct Chain {
    int n = 32, term = 5, counter = 0, host[64] = {}, other[64] = {};
    int *values = nullptr, *second = nullptr;
    void* add_arguments[3] = {&values, &n, &term};
    void* twice_arguments[2] = {&values, &n};
    cudaKernelNodeParams kernel{}, doubling{};
    cudaMemsetParams fill{};
    cudaHostNodeParams told{host_add, &counter};
    cudaMemcpy3DParms box{};
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t filled = nullptr, added = nullptr, copied = nullptr, said = nullptr, empty = nullptr;
    cudaGraphExec_t instance = nullptr;

    Chain() {
        cudaMalloc(&values, sizeof host);
        cudaMalloc(&second, sizeof host);
        cudaMemset(second, 0, sizeof host);
        kernel.func = reinterpret_cast<void*>(add);
        kernel.gridDim = dim3(1);
        kernel.blockDim = dim3(32);
        kernel.kernelParams = add_arguments;
        doubling = kernel;
        doubling.func = reinterpret_cast<void*>(twice);
        doubling.kernelParams = twice_arguments;
        fill.dst = values;
        fill.value = 7;
        fill.elementSize = 4;
        fill.width = 32;
        fill.height = 1;
        box = box_of(host, values, 64, cudaMemcpyDeviceToHost);
        cudaGraphCreate(&graph, 0);
        cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill);
        cudaGraphAddKernelNode(&added, graph, &filled, 1, &kernel);
        cudaGraphAddMemcpyNode(&copied, graph, &added, 1, &box);
        cudaGraphAddHostNode(&said, graph, &copied, 1, &told);
        cudaGraphAddEmptyNode(&empty, graph, &said, 1);
    }
    static cudaMemcpy3DParms box_of(void* to, void* from, size_t bytes, cudaMemcpyKind kind) {
        cudaMemcpy3DParms made{};
        made.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
        made.srcPtr = make_cudaPitchedPtr(from, bytes, bytes, 1);
        made.extent = make_cudaExtent(bytes, 1, 1);
        made.kind = kind;
        return made;
    }
    int place_of(cudaGraphNode_t node) const {
        const cudaGraphNode_t all[] = {filled, added, copied, said, empty};
        for (int i = 0; i < 5; ++i)
            if (all[i] == node) return i;
        return node == nullptr ? -1 : -2;
    }
    void run(const char* what) {
        std::memset(host, 0, sizeof host);
        CALL(cudaGraphLaunch(instance, 0));
        CALL(cudaDeviceSynchronize());
        tell(what, host[0]);
        tell("the host's counter", counter);
    }
    ~Chain() {
        if (instance != nullptr) cudaGraphExecDestroy(instance);
        cudaGraphDestroy(graph);
        cudaFree(values);
        cudaFree(second);
    }
};

static void building() {
    SECTION("building");
    Chain c;
    cudaGraphNode_t node = nullptr, nodes[8] = {}, from[8] = {}, to[8] = {};
    cudaGraph_t child = nullptr;
    size_t count = 0;
    cudaGraphNodeType type = cudaGraphNodeTypeCount;
    CALL(cudaGraphGetNodes(c.graph, nullptr, &count));
    tell("nodes", count);
    CALL(cudaGraphGetRootNodes(c.graph, nullptr, &count));
    tell("root nodes", count);
    count = 8;
    CALL(cudaGraphGetRootNodes(c.graph, nodes, &count));
    tell("the root is the filling", nodes[0] == c.filled);
    tell("one root", count);
    CALL(cudaGraphGetEdges(c.graph, nullptr, nullptr, nullptr, &count));
    tell("edges", count);
    count = 8;
    CALL(cudaGraphGetEdges(c.graph, from, to, nullptr, &count));
    tell("the first edge is that of the addition", from[0] == c.filled && to[0] == c.added);
    CALL(cudaGraphNodeGetType(c.added, &type));
    tell("kernel", type);
    CALL(cudaGraphNodeGetType(c.copied, &type));
    tell("copy", type);
    CALL(cudaGraphNodeGetType(nullptr, &type));
    CALL(cudaGraphNodeGetType(c.added, nullptr));
    count = 8;
    CALL(cudaGraphNodeGetDependencies(c.added, nodes, nullptr, &count));
    tell("dependencies of the addition", count);
    tell("it is the filling", nodes[0] == c.filled);
    count = 8;
    CALL(cudaGraphNodeGetDependentNodes(c.added, nodes, nullptr, &count));
    tell("dependent nodes of the addition", count);
    tell("it is the copy", nodes[0] == c.copied);
    CALL(cudaGraphAddDependencies(c.graph, &c.filled, &c.added, nullptr, 1));
    CALL(cudaGraphAddDependencies(c.graph, &c.added, &c.added, nullptr, 1));
    CALL(cudaGraphRemoveDependencies(c.graph, &c.filled, &c.added, nullptr, 1));
    CALL(cudaGraphRemoveDependencies(c.graph, &c.filled, &c.added, nullptr, 1));
    CALL(cudaGraphAddDependencies(c.graph, &c.filled, &c.added, nullptr, 1));
    CALL(cudaGraphDestroyNode(c.empty));
    CALL(cudaGraphGetNodes(c.graph, nullptr, &count));
    tell("nodes", count);
    CALL(cudaGraphAddEmptyNode(&c.empty, c.graph, &c.said, 1));
    cudaGraphNode_t both[] = {c.filled, c.filled};
    CALL(cudaGraphAddEmptyNode(&node, c.graph, both, 2));
    cudaKernelNodeParams kernel{};
    cudaMemsetParams fill{};
    cudaHostNodeParams told{};
    cudaMemcpy3DParms box{};
    CALL(cudaGraphKernelNodeGetParams(c.added, &kernel));
    tell("the kernel is the addition", kernel.func == reinterpret_cast<void*>(add));
    tell("threads", kernel.blockDim.x);
    tell("its term", kernel.kernelParams != nullptr ? *static_cast<int*>(kernel.kernelParams[2]) : -1);
    CALL(cudaGraphMemsetNodeGetParams(c.filled, &fill));
    tell("the value", fill.value);
    tell("the width", fill.width);
    CALL(cudaGraphHostNodeGetParams(c.said, &told));
    tell("the function", told.fn == host_add);
    CALL(cudaGraphMemcpyNodeGetParams(c.copied, &box));
    tell("the bytes", box.extent.width);
    CALL(cudaGraphKernelNodeGetParams(c.filled, &kernel));
    CALL(cudaGraphMemsetNodeGetParams(c.added, &fill));
    CALL(cudaGraphHostNodeGetParams(c.copied, &told));
    CALL(cudaGraphMemcpyNodeGetParams(c.said, &box));
    c.term = 100;
    CALL(cudaGraphKernelNodeSetParams(c.added, &c.kernel));
    c.fill.value = 1000;
    CALL(cudaGraphMemsetNodeSetParams(c.filled, &c.fill));
    c.told.fn = host_add_ten;
    CALL(cudaGraphHostNodeSetParams(c.said, &c.told));
    CALL(cudaGraphKernelNodeSetParams(c.filled, &c.kernel));
    CALL(cudaGraphMemsetNodeSetParams(c.filled, nullptr));
    CALL(cudaGraphInstantiate(&c.instance, c.graph, 0));
    c.run("changed before the instance");
    CALL(cudaGraphChildGraphNodeGetGraph(c.added, &child));
    CALL(cudaGraphMemcpyNodeSetParams1D(c.copied, c.host, c.second, 8, cudaMemcpyDeviceToHost));
    c.run("an instance keeps its parameters");
}

static void instance_setters() {
    SECTION("setters");
    Chain c;
    CALL(cudaGraphInstantiate(&c.instance, c.graph, 0));
    c.run("as it was");
    c.term = 50;
    CALL(cudaGraphExecKernelNodeSetParams(c.instance, c.added, &c.kernel));
    c.run("kernel");
    CALL(cudaGraphExecKernelNodeSetParams(c.instance, c.added, &c.doubling));
    c.run("another kernel");
    c.fill.value = 11;
    CALL(cudaGraphExecMemsetNodeSetParams(c.instance, c.filled, &c.fill));
    c.run("fill");
    c.told.fn = host_add_ten;
    CALL(cudaGraphExecHostNodeSetParams(c.instance, c.said, &c.told));
    c.run("host");
    int more = 77;
    cudaMemcpy(c.second, &more, 4, cudaMemcpyHostToDevice);
    cudaMemcpy3DParms box = Chain::box_of(c.host, c.second, 64, cudaMemcpyDeviceToHost);
    CALL(cudaGraphExecMemcpyNodeSetParams(c.instance, c.copied, &box));
    c.run("copy");
    CALL(cudaGraphExecMemcpyNodeSetParams1D(c.instance, c.copied, c.host, c.values, 4,
                                            cudaMemcpyDeviceToHost));
    c.run("copy, 1-D");
    box = Chain::box_of(c.second, c.values, 64, cudaMemcpyDeviceToDevice);
    CALL(cudaGraphExecMemcpyNodeSetParams(c.instance, c.copied, &box));
    CALL(cudaGraphExecMemcpyNodeSetParams1D(c.instance, c.copied, c.values, c.host, 4,
                                            cudaMemcpyHostToDevice));
    CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol(c.instance, c.copied, c.host, variable, 4, 0,
                                                    cudaMemcpyDeviceToHost));
    c.run("copy from a variable");
    CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol(c.instance, c.copied, c.host, variable, 4, 4,
                                                    cudaMemcpyDeviceToHost));
    c.fill.height = 2;
    c.fill.pitch = 64;
    c.fill.width = 16;
    CALL(cudaGraphExecMemsetNodeSetParams(c.instance, c.filled, &c.fill));
    c.fill.height = 1;
    c.fill.dst = c.host;
    CALL(cudaGraphExecMemsetNodeSetParams(c.instance, c.filled, &c.fill));
    c.fill.dst = c.second;
    c.fill.elementSize = 3;
    CALL(cudaGraphExecMemsetNodeSetParams(c.instance, c.filled, &c.fill));
    c.told.fn = nullptr;
    CALL(cudaGraphExecHostNodeSetParams(c.instance, c.said, &c.told));
    CALL(cudaGraphExecKernelNodeSetParams(c.instance, c.filled, &c.kernel));
    CALL(cudaGraphExecMemsetNodeSetParams(c.instance, c.added, &c.fill));
    CALL(cudaGraphExecHostNodeSetParams(c.instance, c.added, &c.told));
    CALL(cudaGraphExecKernelNodeSetParams(nullptr, c.added, &c.kernel));
    c.run("after all that was refused");
}

static void enabling() {
    SECTION("enabling");
    Chain c;
    unsigned enabled = 9;
    CALL(cudaGraphInstantiate(&c.instance, c.graph, 0));
    CALL(cudaGraphNodeGetEnabled(c.instance, c.added, &enabled));
    tell("enabled", enabled);
    CALL(cudaGraphNodeSetEnabled(c.instance, c.added, 0));
    CALL(cudaGraphNodeGetEnabled(c.instance, c.added, &enabled));
    tell("disabled", enabled);
    c.run("without the addition");
    CALL(cudaGraphNodeSetEnabled(c.instance, c.added, 5));
    CALL(cudaGraphNodeGetEnabled(c.instance, c.added, &enabled));
    tell("enabled", enabled);
    CALL(cudaGraphNodeSetEnabled(c.instance, c.filled, 0));
    c.run("without the filling");
    CALL(cudaGraphNodeSetEnabled(c.instance, c.copied, 0));
    c.run("without the copy");
    CALL(cudaGraphNodeSetEnabled(c.instance, c.said, 0));
    CALL(cudaGraphNodeSetEnabled(c.instance, c.empty, 0));
    CALL(cudaGraphNodeGetEnabled(c.instance, c.said, &enabled));
    CALL(cudaGraphNodeGetEnabled(c.instance, c.added, nullptr));
    CALL(cudaGraphNodeSetEnabled(c.instance, nullptr, 0));
    c.term = 1;
    CALL(cudaGraphNodeSetEnabled(c.instance, c.added, 0));
    CALL(cudaGraphExecKernelNodeSetParams(c.instance, c.added, &c.kernel));
    CALL(cudaGraphNodeGetEnabled(c.instance, c.added, &enabled));
    tell("still disabled", enabled);
}

static void updating() {
    SECTION("updating");
    Chain c, same;
    cudaGraphExecUpdateResultInfo info{};
    CALL(cudaGraphInstantiate(&c.instance, c.graph, 0));
    same.term = 500;
    CALL(cudaGraphKernelNodeSetParams(same.added, &same.kernel));
    CALL(cudaGraphExecUpdate(c.instance, same.graph, &info));
    tell("result", info.result);
    std::memset(same.host, 0, sizeof same.host);
    CALL(cudaGraphLaunch(c.instance, 0));
    CALL(cudaDeviceSynchronize());
    tell("the other graph's copy", same.host[0]);
    tell("the other graph's counter", same.counter);
    CALL(cudaGraphExecKernelNodeSetParams(c.instance, c.added, &c.kernel));
    CALL(cudaGraphExecKernelNodeSetParams(c.instance, same.added, &c.kernel));
    CALL(cudaGraphKernelNodeSetParams(same.added, &same.doubling));
    CALL(cudaGraphExecUpdate(c.instance, same.graph, &info));
    tell("another kernel", info.result);
    cudaGraphNode_t node = nullptr;
    CALL(cudaGraphAddEmptyNode(&node, same.graph, nullptr, 0));
    CALL(cudaGraphExecUpdate(c.instance, same.graph, &info));
    tell("another node: result", info.result);
    tell("its node is null", info.errorNode == nullptr);
    tell("its origin is null", info.errorFromNode == nullptr);
    CALL(cudaGraphDestroyNode(node));
    CALL(cudaGraphExecUpdate(c.instance, same.graph, &info));
    tell("without it", info.result);
    CALL(cudaGraphRemoveDependencies(same.graph, &same.filled, &same.added, nullptr, 1));
    CALL(cudaGraphExecUpdate(c.instance, same.graph, &info));
    tell("an edge is gone: result", info.result);
    tell("its node", same.place_of(info.errorNode));
    tell("its origin is null", info.errorFromNode == nullptr);
    CALL(cudaGraphAddDependencies(same.graph, &same.filled, &same.added, nullptr, 1));
    CALL(cudaGraphAddDependencies(same.graph, &same.filled, &same.said, nullptr, 1));
    CALL(cudaGraphExecUpdate(c.instance, same.graph, &info));
    tell("an edge more: result", info.result);
    tell("its node is the host's", info.errorNode == same.said);
    tell("its origin is the filling", info.errorFromNode == same.filled);
    cudaGraph_t other;
    cudaGraphNode_t a, b, d, e, f;
    cudaGraphCreate(&other, 0);
    cudaGraphAddMemsetNode(&a, other, nullptr, 0, &c.fill);
    cudaGraphAddMemsetNode(&b, other, &a, 1, &c.fill);
    cudaGraphAddMemcpyNode(&d, other, &b, 1, &c.box);
    cudaGraphAddHostNode(&e, other, &d, 1, &c.told);
    cudaGraphAddEmptyNode(&f, other, &e, 1);
    CALL(cudaGraphExecUpdate(c.instance, other, &info));
    tell("another type: result", info.result);
    tell("its node is the second one", info.errorNode == b);
    CALL(cudaGraphDestroy(other));
    cudaGraphCreate(&other, 0);
    cudaMemcpy3DParms back = Chain::box_of(c.values, c.host, 64, cudaMemcpyHostToDevice);
    cudaGraphAddMemsetNode(&a, other, nullptr, 0, &c.fill);
    cudaGraphAddKernelNode(&b, other, &a, 1, &c.kernel);
    cudaGraphAddMemcpyNode(&d, other, &b, 1, &back);
    cudaGraphAddHostNode(&e, other, &d, 1, &c.told);
    cudaGraphAddEmptyNode(&f, other, &e, 1);
    CALL(cudaGraphExecUpdate(c.instance, other, &info));
    tell("another direction: result", info.result);
    tell("its node is the copy", info.errorNode == d);
    CALL(cudaGraphDestroy(other));
    CALL(cudaGraphExecUpdate(nullptr, same.graph, &info));
    CALL(cudaGraphExecUpdate(c.instance, nullptr, &info));
    CALL(cudaGraphExecUpdate(c.instance, c.graph, nullptr));
    c.run("updated from its own graph");
}

static void children() {
    SECTION("children");
    Chain inner, outer;
    cudaGraphNode_t child = nullptr, within[8] = {};
    cudaGraph_t embedded = nullptr;
    size_t count = 8;
    CALL(cudaGraphAddChildGraphNode(&child, outer.graph, &outer.empty, 1, inner.graph));
    CALL(cudaGraphChildGraphNodeGetGraph(child, &embedded));
    tell("it is another graph", embedded != inner.graph);
    CALL(cudaGraphGetNodes(embedded, within, &count));
    tell("its nodes", count);
    CALL(cudaGraphInstantiate(&outer.instance, outer.graph, 0));
    outer.run("outer");
    tell("inner", inner.counter);
    inner.told.fn = host_add_ten;
    cudaGraphHostNodeSetParams(inner.said, &inner.told);
    CALL(cudaGraphExecChildGraphNodeSetParams(outer.instance, child, inner.graph));
    outer.run("outer");
    tell("inner", inner.counter);
    inner.told.fn = host_add;
    CALL(cudaGraphExecHostNodeSetParams(outer.instance, inner.said, &inner.told));
    cudaGraphNodeType type;
    for (size_t i = 0; i < count; ++i) {
        cudaGraphNodeGetType(within[i], &type);
        if (type == cudaGraphNodeTypeHost)
            CALL(cudaGraphExecHostNodeSetParams(outer.instance, within[i], &inner.told));
    }
    outer.run("outer");
    tell("inner", inner.counter);
    cudaGraphNode_t more;
    cudaGraphAddEmptyNode(&more, inner.graph, nullptr, 0);
    CALL(cudaGraphExecChildGraphNodeSetParams(outer.instance, child, inner.graph));
    CALL(cudaGraphExecChildGraphNodeSetParams(outer.instance, outer.added, inner.graph));
}

static void events() {
    SECTION("events");
    cudaEvent_t a, b, found = nullptr;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaGraphNode_t recorded, waited;
    cudaGraphCreate(&graph, 0);
    CALL(cudaGraphAddEventRecordNode(&recorded, graph, nullptr, 0, a));
    CALL(cudaGraphAddEventWaitNode(&waited, graph, &recorded, 1, a));
    cudaGraphNode_t none;
    CALL(cudaGraphAddEventRecordNode(&none, graph, nullptr, 0, nullptr));
    CALL(cudaGraphEventRecordNodeGetEvent(recorded, &found));
    tell("it is the first one", found == a);
    CALL(cudaGraphEventWaitNodeGetEvent(waited, &found));
    tell("it is the first one", found == a);
    CALL(cudaGraphEventWaitNodeGetEvent(recorded, &found));
    CALL(cudaGraphInstantiate(&instance, graph, 0));
    CALL(cudaGraphLaunch(instance, 0));
    CALL(cudaDeviceSynchronize());
    float ms = -1;
    CALL(cudaEventElapsedTime(&ms, a, a));
    CALL(cudaGraphExecEventRecordNodeSetEvent(instance, recorded, b));
    CALL(cudaGraphExecEventRecordNodeSetEvent(instance, waited, b));
    CALL(cudaGraphExecEventWaitNodeSetEvent(instance, waited, b));
    CALL(cudaEventElapsedTime(&ms, a, b));
    CALL(cudaGraphLaunch(instance, 0));
    CALL(cudaDeviceSynchronize());
    CALL(cudaEventElapsedTime(&ms, a, b));
    CALL(cudaGraphExecEventWaitNodeSetEvent(instance, waited, nullptr));
    CALL(cudaGraphEventRecordNodeSetEvent(recorded, b));
    CALL(cudaGraphEventRecordNodeGetEvent(recorded, &found));
    tell("it is the second one", found == b);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
}

static void generic() {
    SECTION("generic");
    Chain c;
    cudaGraphNode_t node = nullptr, kernel_node = nullptr, child = nullptr;
    cudaGraphNodeParams p{};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = reinterpret_cast<void*>(twice);
    p.kernel.gridDim = dim3(1);
    p.kernel.blockDim = dim3(32);
    p.kernel.kernelParams = c.twice_arguments;
    CALL(cudaGraphAddNode(&kernel_node, c.graph, &c.added, nullptr, 1, &p));
    CALL(cudaGraphAddDependencies(c.graph, &kernel_node, &c.copied, nullptr, 1));
    CALL(cudaGraphInstantiate(&c.instance, c.graph, 0));
    c.run("with the kernel");
    p.kernel.func = reinterpret_cast<void*>(add);
    p.kernel.kernelParams = c.add_arguments;
    CALL(cudaGraphExecNodeSetParams(c.instance, kernel_node, &p));
    c.run("with another kernel");
    CALL(cudaGraphNodeSetParams(kernel_node, &p));
    p = {};
    p.type = cudaGraphNodeTypeHost;
    p.host.fn = host_add_ten;
    p.host.userData = &c.counter;
    CALL(cudaGraphAddNode(&node, c.graph, nullptr, nullptr, 0, &p));
    CALL(cudaGraphExecNodeSetParams(c.instance, c.said, &p));
    CALL(cudaGraphExecNodeSetParams(c.instance, kernel_node, &p));
    CALL(cudaGraphNodeSetParams(c.added, &p));
    p = {};
    p.type = cudaGraphNodeTypeMemset;
    p.memset.dst = c.values;
    p.memset.elementSize = 1;
    p.memset.value = 1;
    p.memset.width = 32;
    p.memset.height = 1;
    CALL(cudaGraphAddNode(&node, c.graph, nullptr, nullptr, 0, &p));
    p = {};
    p.type = cudaGraphNodeTypeMemcpy;
    p.memcpy.copyParams = c.box;
    CALL(cudaGraphAddNode(&node, c.graph, nullptr, nullptr, 0, &p));
    p = {};
    p.type = cudaGraphNodeTypeEmpty;
    CALL(cudaGraphAddNode(&node, c.graph, nullptr, nullptr, 0, &p));
    Chain inner;
    p = {};
    p.type = cudaGraphNodeTypeGraph;
    p.graph.graph = inner.graph;
    CALL(cudaGraphAddNode(&child, c.graph, nullptr, nullptr, 0, &p));
    p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.reserved2 = 1;
    CALL(cudaGraphAddNode(&node, c.graph, nullptr, nullptr, 0, &p));
    p = {};
    CALL(cudaGraphAddNode(&node, c.graph, nullptr, nullptr, 0, &p));
    p.type = static_cast<cudaGraphNodeType>(99);
    CALL(cudaGraphAddNode(&node, c.graph, nullptr, nullptr, 0, &p));
    CALL(cudaGraphAddNode(&node, c.graph, nullptr, nullptr, 0, nullptr));
    cudaGraphEdgeData data[1] = {};
    p = {};
    p.type = cudaGraphNodeTypeEmpty;
    CALL(cudaGraphAddNode(&node, c.graph, &c.added, data, 1, &p));
    data[0].reserved[0] = 1;
    CALL(cudaGraphAddNode(&node, c.graph, &c.added, data, 1, &p));
}

static void memory() {
    SECTION("memory");
    cudaGraph_t graph;
    cudaGraphExec_t instance = nullptr;
    cudaGraphNode_t made, filled, copied, freed, node;
    int host[8] = {};
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams wanted{};
    wanted.poolProps.allocType = cudaMemAllocationTypePinned;
    wanted.poolProps.location = {cudaMemLocationTypeDevice, 0};
    wanted.bytesize = sizeof host;
    CALL(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &wanted));
    tell("it has an address", wanted.dptr != nullptr);
    cudaMemsetParams fill{};
    fill.dst = wanted.dptr;
    fill.value = 6;
    fill.elementSize = 4;
    fill.width = 8;
    fill.height = 1;
    CALL(cudaGraphAddMemsetNode(&filled, graph, &made, 1, &fill));
    CALL(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, host, wanted.dptr, sizeof host,
                                  cudaMemcpyDeviceToHost));
    CALL(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, wanted.dptr));
    CALL(cudaGraphAddMemFreeNode(&node, graph, &copied, 1, wanted.dptr));
    CALL(cudaGraphAddMemFreeNode(&node, graph, &copied, 1, host));
    cudaMemAllocNodeParams got{};
    CALL(cudaGraphMemAllocNodeGetParams(made, &got));
    tell("its bytes", got.bytesize);
    void* address = nullptr;
    CALL(cudaGraphMemFreeNodeGetParams(freed, &address));
    tell("its address", address == wanted.dptr);
    CALL(cudaGraphInstantiate(&instance, graph, 0));
    CALL(cudaGraphLaunch(instance, 0));
    CALL(cudaGraphLaunch(instance, 0));
    CALL(cudaDeviceSynchronize());
    tell("the value", host[7]);
    cudaGraph_t clone = nullptr;
    CALL(cudaGraphClone(&clone, graph));
    CALL(cudaGraphDestroyNode(made));
    CALL(cudaGraphExecDestroy(instance));
    CALL(cudaGraphDestroy(graph));
}

static void capture() {
    SECTION("capture");
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    int *a, *b, n = 32;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaStreamCaptureStatus status;
    unsigned long long id = 0;
    cudaGraph_t graph = nullptr, seen = nullptr;
    const cudaGraphNode_t* nodes = nullptr;
    size_t count = 0;
    CALL(cudaStreamGetCaptureInfo(first, &status, &id, &seen, &nodes, nullptr, &count));
    tell("status", status);
    CALL(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    cudaMemsetAsync(a, 0, n * sizeof(int), first);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork, 0);
    add<<<1, 32, 0, first>>>(a, n, 1);
    cudaMemsetAsync(b, 0, n * sizeof(int), second);
    add<<<1, 32, 0, second>>>(b, n, 2);
    cudaEventRecord(join, second);
    CALL(cudaStreamGetCaptureInfo(first, &status, &id, &seen, &nodes, nullptr, &count));
    tell("status", status);
    tell("nodes to wait for", count);
    cudaStreamWaitEvent(first, join, 0);
    CALL(cudaStreamGetCaptureInfo(first, &status, &id, &seen, &nodes, nullptr, &count));
    tell("nodes to wait for", count);
    twice<<<1, 32, 0, first>>>(a, n);
    CALL(cudaStreamEndCapture(first, &graph));
    CALL(cudaGraphGetNodes(graph, nullptr, &count));
    tell("nodes", count);
    CALL(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    tell("edges", count);
    CALL(cudaGraphGetRootNodes(graph, nullptr, &count));
    tell("roots", count);
    CALL(cudaGraphDestroy(graph));
    CALL(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    cudaMemsetAsync(a, 0, n * sizeof(int), first);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork, 0);
    add<<<1, 32, 0, second>>>(b, n, 2);
    CALL(cudaStreamEndCapture(first, &graph));
    tell("no graph", graph == nullptr);
    CALL(cudaStreamEndCapture(first, &graph));
    CALL(cudaStreamIsCapturing(first, &status));
    tell("status", status);
    CALL(cudaGetLastError());
    CALL(cudaDeviceSynchronize());
}

static void instances() {
    SECTION("instances");
    Chain c;
    unsigned long long flags = 9;
    cudaGraphInstantiateParams p{};
    CALL(cudaGraphInstantiateWithParams(&c.instance, c.graph, &p));
    tell("result", p.result_out);
    c.run("with parameters");
    CALL(cudaGraphExecGetFlags(c.instance, &flags));
    tell("flags", flags);
    CALL(cudaGraphExecDestroy(c.instance));
    CALL(cudaGraphInstantiateWithFlags(&c.instance, c.graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    CALL(cudaGraphExecGetFlags(c.instance, &flags));
    tell("flags", flags);
    CALL(cudaGraphExecDestroy(c.instance));
    CALL(cudaGraphInstantiateWithFlags(&c.instance, c.graph, 1 << 20));
    c.instance = nullptr;
    CALL(cudaGraphInstantiate(nullptr, c.graph, 0));
    CALL(cudaGraphInstantiate(&c.instance, nullptr, 0));
    cudaGraph_t empty;
    cudaGraphCreate(&empty, 0);
    CALL(cudaGraphInstantiate(&c.instance, empty, 0));
    CALL(cudaGraphLaunch(c.instance, 0));
    CALL(cudaDeviceSynchronize());
    cudaGraphConditionalHandle handle;
    CALL(cudaGraphAddDependencies(c.graph, &c.empty, &c.filled, nullptr, 1));
    cudaGraphExec_t circle = nullptr;
    CALL(cudaGraphInstantiate(&circle, c.graph, 0));
    CALL(cudaGraphInstantiateWithParams(&circle, c.graph, &p));
    tell("result", p.result_out);
    (void)handle;
}

int main(int argc, char** argv) {
    static const struct {
        const char* name;
        void (*run)();
    } sections[] = {{"building", building}, {"setters", instance_setters},
                    {"enabling", enabling}, {"updating", updating},
                    {"children", children}, {"events", events},
                    {"generic", generic},   {"memory", memory},
                    {"capture", capture},   {"instances", instances}};
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    for (const auto& section : sections)
        if (argc < 2 || std::strcmp(argv[1], section.name) == 0) section.run();
}
