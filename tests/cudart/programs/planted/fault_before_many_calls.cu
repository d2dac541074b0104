// Finds: out_of_bounds
#include <cuda_runtime.h>
__global__ void fill(int* to) {
    to[threadIdx.x + 100000] = 1;  // (bug)
}
int main() {
    int *a, *b, *c;
    if (cudaMalloc(&a, 128) != cudaSuccess || cudaMalloc(&b, 128) != cudaSuccess) return 1;
    if (cudaMalloc(&c, 128) != cudaSuccess) return 1;
    fill<<<1, 32>>>(a);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return !failed;
}
