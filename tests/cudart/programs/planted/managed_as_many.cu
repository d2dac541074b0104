// Finds: nothing
#include <cuda_runtime.h>
__global__ void fill(int* values, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        values[i] = i;
}
int main() {
    int* values;
    cudaMallocManaged(&values, 100 * sizeof(int));
    fill<<<1, 32>>>(values, 100);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaFree(values);
}
