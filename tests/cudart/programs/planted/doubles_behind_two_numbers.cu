// Finds: nothing
#include <cuda_runtime.h>
__global__ void fill(double* values) {
    values[threadIdx.x] = threadIdx.x;
}
int main() {
    float* values;
    cudaMalloc(&values, 80);
    fill<<<1, 8>>>((double*)(values + 2));
    if (cudaDeviceSynchronize() == cudaSuccess) cudaFree(values);
}
