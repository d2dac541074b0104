// Finds: out_of_bounds
#include <cuda_runtime.h>
__global__ void child(const int* list, int* out) {
    out[threadIdx.x] = list[threadIdx.x];  // (bug)
}
__global__ void parent(int* values) {
    int list[4] = {1, 2, 3, 4};
    for (int i = 0; i < 4; ++i) values[4 + i] = list[i];
    child<<<1, 4>>>(list, values);
}
int main() {
    int* values;
    cudaMalloc(&values, 32);
    parent<<<1, 1>>>(values);
    if (cudaDeviceSynchronize() == cudaSuccess) cudaFree(values);
}
