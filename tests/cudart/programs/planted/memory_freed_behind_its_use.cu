// Finds: nothing
#include <cuda_runtime.h>
__global__ void fill(int* values) { values[threadIdx.x] = 1; }
__global__ void twice(int* values) {
    values[threadIdx.x] *= 2;
}
int main() {
    int* values;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocAsync((void**)&values, 256, stream);
    fill<<<1, 64, 0, stream>>>(values);
    twice<<<1, 64, 0, stream>>>(values);
    cudaFreeAsync(values, stream);
    cudaStreamSynchronize(stream);
    return cudaGetLastError() != cudaSuccess;
}
