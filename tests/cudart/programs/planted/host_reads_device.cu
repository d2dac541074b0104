// Finds: host_access
#include <cuda_runtime.h>
__global__ void fill(int* to) {
    to[threadIdx.x] = threadIdx.x;
}
int main() {
    int* numbers;
    if (cudaMalloc(&numbers, 32 * sizeof(int)) != cudaSuccess) return 1;
    fill<<<1, 32>>>(numbers);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    int sum = 0;
    for (int i = 0; i < 32; ++i)
        sum += numbers[i];  // (bug)
    return sum;
}
