// Finds: trap
#include <cuda_runtime.h>
#include <cooperative_groups.h>
__global__ void both(int* values) {
    values[blockIdx.x] = 1;
    cooperative_groups::this_grid().sync();  // (bug)
    values[2 + blockIdx.x] = values[1 - blockIdx.x];
}
int main() {
    int* values;
    cudaMalloc(&values, 16);
    void* arguments[] = {&values};
    both<<<2, 1>>>(values);
    if (cudaDeviceSynchronize() != cudaSuccess) return arguments[0] == nullptr;
    cudaFree(values);
}
