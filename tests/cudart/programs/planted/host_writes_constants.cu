// Finds: host_access
#include <cuda_runtime.h>
__constant__ float factor[4];
__global__ void scale(float* of) {
    of[threadIdx.x] *= factor[threadIdx.x % 4];
}
int main() {
    void* address;
    if (cudaGetSymbolAddress(&address, factor) != cudaSuccess) return 1;
    *static_cast<float*>(address) = 2;  // (bug)
    float* values;
    if (cudaMalloc(&values, 128) != cudaSuccess) return 1;
    scale<<<1, 32>>>(values);
    return cudaFree(values) != cudaSuccess;
}
