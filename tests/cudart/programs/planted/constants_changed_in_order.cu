// Finds: nothing
#include <cuda_runtime.h>
__constant__ int factor;
__global__ void scale(int* values) { values[threadIdx.x] = factor; }
int main() {
    int *values, host = 2;
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaMalloc(&values, 256);
    scale<<<1, 64, 0, first>>>(values);
    cudaMemcpyToSymbolAsync(factor, &host, 4, 0, cudaMemcpyHostToDevice, first);
    cudaDeviceSynchronize();
    cudaFree(values);
}
