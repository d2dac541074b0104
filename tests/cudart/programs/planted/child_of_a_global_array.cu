// Finds: nothing
#include <cuda_runtime.h>
__global__ void child(const int* list, int* out) {
    out[threadIdx.x] = list[threadIdx.x];
}
__global__ void parent(int* values) {
    int list[4] = {1, 2, 3, 4};
    for (int i = 0; i < 4; ++i) values[4 + i] = list[i];
    child<<<1, 4>>>(values + 4, values);
}
int main() {
    int* values;
    cudaMalloc(&values, 32);
    parent<<<1, 1>>>(values);
    if (cudaDeviceSynchronize() == cudaSuccess) cudaFree(values);
}
