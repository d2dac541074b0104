// Managed variables and memory, page-locked memory, device functions, a template, constant memory.
#include <cstdio>

__managed__ int total = 1;
__constant__ int factor[2];

template <int which>
__device__ int scaled(int x) {
    return factor[which] * x;
}

template <int which>
__global__ void sum(const int* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&total, scaled<which>(in[i]));
}

int main() {
    const int factors[2] = {2, 10};
    cudaMemcpyToSymbol(factor, factors, sizeof factors);
    int *managed, *pinned;
    cudaMallocManaged(&managed, 100 * sizeof(int));
    cudaMallocHost(&pinned, 100 * sizeof(int));
    for (int i = 0; i < 100; ++i)
        managed[i] = pinned[i] = i;
    sum<0><<<4, 32>>>(managed, 100);
    sum<1><<<2, 64>>>(pinned, 100);
    cudaDeviceSynchronize();
    std::printf("%d\n", total);
    cudaFree(managed);
    cudaFreeHost(pinned);
    return total == 1 + 12 * 4950 ? 0 : 1;
}
