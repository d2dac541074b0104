// Kernels that take memory of the device's heap in one launch, use it in the next, and give it back.
#include <cstdio>

__device__ int taken;

__global__ void take(int** lists, int count) {
    const int i = threadIdx.x;
    lists[i] = static_cast<int*>(malloc(count * sizeof(int)));
    for (int k = 0; k < count; ++k)
        lists[i][k] = i * k;
    atomicAdd(&taken, 1);
    if (i == 0) printf("took %d lists\n", static_cast<int>(blockDim.x));
}

__global__ void sum(int** lists, int count, int* sums) {
    int all = 0;
    for (int k = 0; k < count; ++k)
        all += lists[threadIdx.x][k];
    sums[threadIdx.x] = all;
}

__global__ void release(int** lists) {
    free(lists[threadIdx.x]);
    lists[threadIdx.x] = nullptr;
    atomicSub(&taken, 1);
}

int main() {
    constexpr int n = 32, count = 4;
    int **d_lists, *d_sums, h_sums[n], h_taken[2];
    cudaMalloc(&d_lists, n * sizeof(int*)), cudaMalloc(&d_sums, n * sizeof(int));
    take<<<1, n>>>(d_lists, count);
    cudaMemcpyFromSymbol(&h_taken[0], taken, sizeof(int));
    sum<<<1, n>>>(d_lists, count, d_sums);
    release<<<1, n>>>(d_lists);
    cudaMemcpy(h_sums, d_sums, sizeof h_sums, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&h_taken[1], taken, sizeof(int));
    printf("%d %d, %d then %d %s\n", h_sums[1], h_sums[n - 1], h_taken[0], h_taken[1], cudaGetErrorName(cudaGetLastError()));
    cudaFree(d_lists), cudaFree(d_sums);
    return 0;
}
