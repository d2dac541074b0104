// Finds: nothing
#include <cuda_runtime.h>
__global__ void count(int* counts) {
    counts[threadIdx.x] += 1;
}
int main() {
    int* counts;
    cudaMalloc(&counts, 64 * sizeof(int));
    cudaMemset(counts, 0, 64 * sizeof(int));
    count<<<1, 64>>>(counts);
    cudaDeviceSynchronize();
    cudaFree(counts);
}
