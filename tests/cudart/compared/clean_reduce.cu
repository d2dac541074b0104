// Sums of a million numbers, twenty times: a tree in shared memory and an atomic addition for each block.
#include <cstdio>

__global__ void sum(const int* in, int n, unsigned long long* out) {
    __shared__ int part[256];
    int own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own += in[i];
    part[threadIdx.x] = own;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, static_cast<unsigned long long>(part[0]));
}

__global__ void fill(int* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = i % 17;
}

int main() {
    const int n = 1 << 20, rounds = 20;
    int* values;
    unsigned long long *total, result = 0, wanted = 0;
    cudaMalloc(&values, n * sizeof(int));
    cudaMalloc(&total, sizeof *total);
    cudaMemset(total, 0, sizeof *total);
    fill<<<128, 256>>>(values, n);
    for (int i = 0; i < rounds; ++i)
        sum<<<128, 256>>>(values, n, total);
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        wanted += i % 17;
    std::printf("%s\n", result == rounds * wanted ? "right" : "wrong");
    cudaFree(values);
    cudaFree(total);
    return cudaGetLastError() != cudaSuccess || result != rounds * wanted;
}
