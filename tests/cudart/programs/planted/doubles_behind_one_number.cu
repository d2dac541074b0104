// Finds: misaligned
#include <cuda_runtime.h>
__global__ void fill(double* values) {
    values[threadIdx.x] = threadIdx.x;  // (bug)
}
int main() {
    float* values;
    cudaMalloc(&values, 80);
    fill<<<1, 8>>>((double*)(values + 1));
    if (cudaDeviceSynchronize() == cudaSuccess) cudaFree(values);
}
