// Finds: launch_config
#include <cuda_runtime.h>
__global__ void fill(int* values, int n) {
    if (threadIdx.x < n) values[threadIdx.x] = 1;
}
int main(int count, char**) {
    int *values, n = count - 1;
    cudaMalloc(&values, 256);
    fill<<<(n + 63) / 64, 64>>>(values, n);  // (bug)
    if (cudaGetLastError() != cudaSuccess) return 1;
    cudaDeviceSynchronize();
    cudaFree(values);
}
