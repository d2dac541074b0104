// A graph made node by node against the order of its dependencies, its clone, a child graph, nodes that allocate, and registered memory.
#include <cstdio>
#include <vector>

__global__ void add(int* values, int n, int term) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += term;
}

__global__ void twice(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2;
}

void say(void* value) {
    std::printf("host node: %d\n", *static_cast<int*>(value));
}

void made_by_hand() {
    int n = 100, term = 5, result = 0, *values;
    cudaMalloc(&values, n * sizeof(int));
    cudaGraph_t graph, child, clone;
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&child, 0);
    cudaGraphNode_t doubled, added, filled, copied, told, empty, nested, found;
    void* arguments[] = {&values, &n, &term};
    cudaKernelNodeParams kernel = {};
    kernel.func = reinterpret_cast<void*>(twice);
    kernel.gridDim = 4;
    kernel.blockDim = 32;
    kernel.kernelParams = arguments;
    cudaGraphAddKernelNode(&doubled, graph, nullptr, 0, &kernel);
    kernel.func = reinterpret_cast<void*>(add);
    cudaGraphAddKernelNode(&added, graph, nullptr, 0, &kernel);
    term = 1000;  // the node keeps the 5
    cudaMemsetParams fill = {};
    fill.dst = values;
    fill.value = 7;
    fill.elementSize = sizeof(int);
    fill.width = n;
    fill.height = 1;
    cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill);
    cudaGraphAddDependencies(graph, &filled, &added, nullptr, 1);
    cudaGraphAddDependencies(graph, &added, &doubled, nullptr, 1);
    cudaGraphAddKernelNode(&found, child, nullptr, 0, &kernel);  // adds 1000
    cudaGraphAddChildGraphNode(&nested, graph, &doubled, 1, child);
    cudaGraphAddEmptyNode(&empty, graph, &nested, 1);
    cudaGraphAddMemcpyNode1D(&copied, graph, &empty, 1, &result, values + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
    cudaHostNodeParams host = {say, &result};
    cudaGraphAddHostNode(&told, graph, &copied, 1, &host);
    cudaGraphClone(&clone, graph);
    size_t count = 0;
    cudaGraphGetNodes(clone, nullptr, &count);
    std::printf("%zu nodes, in the clone: %s\n", count, cudaGetErrorName(cudaGraphNodeFindInClone(&found, added, clone)));
    cudaGraphExec_t instance;
    for (cudaGraph_t each : {graph, clone}) {
        cudaGraphInstantiate(&instance, each, 0);
        cudaGraphLaunch(instance, 0);
        cudaDeviceSynchronize();
        cudaGraphExecDestroy(instance);
    }
    cudaGraphAddDependencies(graph, &told, &filled, nullptr, 1);
    std::printf("a circle: %s\n", cudaGetErrorName(cudaGraphInstantiate(&instance, graph, 0)));
    for (cudaGraph_t each : {graph, clone, child})
        cudaGraphDestroy(each);
    cudaFree(values);
}

void captured_memory() {
    int *values, result[2] = {3, 4};
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&values, sizeof result, stream);
    cudaMemcpyAsync(values, result, sizeof result, cudaMemcpyHostToDevice, stream);
    twice<<<1, 32, 0, stream>>>(values, 2);
    cudaMemcpyAsync(result, values, sizeof result, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(values, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphDestroy(graph);
    for (int i = 0; i < 3; ++i)
        cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);
    std::printf("captured: %d %d\n", result[0], result[1]);
    cudaGraphExecDestroy(instance);
    cudaStreamDestroy(stream);
}

void registered_memory() {
    std::vector<int> values(1000, 1);
    int* device = nullptr;
    cudaHostRegister(values.data(), values.size() * sizeof(int), cudaHostRegisterMapped);
    cudaHostGetDevicePointer(&device, values.data(), 0);
    add<<<4, 256>>>(device + 10, 900, 1);
    cudaDeviceSynchronize();
    values[10] = 50;
    add<<<4, 256>>>(values.data(), 11, 1);
    cudaDeviceSynchronize();
    std::printf("registered: %d %d %d %d\n", values[9], values[10], values[11], values[910]);
    cudaHostUnregister(values.data());
}

void changed_instance() {
    int *values, results[3] = {};
    cudaMalloc(&values, sizeof(int));
    cudaMemset(values, 0, sizeof(int));
    int count = 1, amount = 1;
    void* arguments[] = {&values, &count, &amount};
    cudaKernelNodeParams kernel = {};
    kernel.func = reinterpret_cast<void*>(add);
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t first, second;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel);
    cudaGraphInstantiate(&first, graph, 0);
    cudaGraphInstantiate(&second, graph, 0);
    for (int i = 0; i < 3; ++i) {
        amount = i == 0 ? 10 : 100;
        if (i < 2) cudaGraphExecKernelNodeSetParams(first, node, &kernel);
        cudaGraphLaunch(i < 2 ? first : second, nullptr);
        cudaMemcpy(&results[i], values, sizeof(int), cudaMemcpyDeviceToHost);
    }
    std::printf("changed: %d %d %d\n", results[0], results[1], results[2]);
    cudaGraphExecDestroy(first);
    cudaGraphExecDestroy(second);
    cudaGraphDestroy(graph);
    cudaFree(values);
}

int main() {
    made_by_hand();
    captured_memory();
    registered_memory();
    changed_instance();
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
