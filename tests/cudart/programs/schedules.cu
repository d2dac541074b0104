// Mistakes by the argument: "lock" shows under some schedules only, "lines" is one racy line in many launches, "call" fails and is seen.
#include <cstdio>
#include <cstring>
__device__ int taken;
__global__ void lock(int* data) {
    while (atomicCAS(&taken, 0, 1) != 0) {}
    if (blockIdx.x == 1) __threadfence();  // missing in block 0
    data[0] = blockIdx.x;
    __threadfence();
    atomicExch(&taken, 0);
}
__global__ void halves(int* d, int n) { int i = threadIdx.x; if (i < n) d[n + i / 2] = i; }
int main(int, char** words) {
    int* d;
    cudaMalloc(&d, 1 << 16);
    if (std::strcmp(words[1], "lock") == 0) lock<<<2, 1>>>(d);
    if (std::strcmp(words[1], "lines") == 0)
        for (int n = 40; n < 70; ++n) halves<<<1, 64>>>(d, n);
    if (std::strcmp(words[1], "call") == 0) {
        int h[4] = {};
        cudaError_t e = cudaMemcpy(nullptr, h, sizeof h, cudaMemcpyHostToDevice);
        if (e != cudaSuccess) std::printf("%s\n", cudaGetErrorString(e));
    }
    cudaDeviceSynchronize();
    cudaFree(d);
}
