// A grid that synchronises, a kernel that launches a kernel, and a graph that is replayed.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void all_sum(int* values) {
    const cg::grid_group grid = cg::this_grid();
    values[grid.thread_rank()] = grid.thread_rank();
    grid.sync();
    if (grid.thread_rank() != 0) return;
    int sum = 0;
    for (int i = 0; i < grid.size(); ++i)
        sum += values[i];
    values[0] = sum;
}

__global__ void child(int* values) {
    values[threadIdx.x] += 1000;
}

__global__ void parent(int* values) {
    if (threadIdx.x == 0) child<<<1, 2>>>(values);
}

__global__ void increment(int* values) {
    values[threadIdx.x] += 1;
}

int main() {
    int* values;
    cudaMalloc(&values, 64 * sizeof(int));
    void* arguments[] = {&values};
    cudaLaunchCooperativeKernel((void*)all_sum, 2, 32, arguments);
    parent<<<1, 32>>>(values);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    increment<<<1, 32, 0, stream>>>(values);
    increment<<<1, 32, 0, stream>>>(values);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);
    for (int i = 0; i < 3; ++i)
        cudaGraphLaunch(instance, stream);
    int sum = 0;
    cudaMemcpyAsync(&sum, values, sizeof sum, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("%d %s\n", sum, cudaGetErrorName(cudaGetLastError()));
    return sum == 2016 + 1000 + 6 ? 0 : 1;
}
