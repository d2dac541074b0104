// Mistakes that only a check finds: races within a block, between blocks and between streams, a double free, an error unseen.
#include <cstdio>
__global__ void shared_race(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void fill(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }
__global__ void grid_race(int* a) { a[0] = blockIdx.x; }
int main() {
    int *a, *b;
    cudaMalloc(&a, 4096); cudaMalloc(&b, 4096);
    shared_race<<<1, 64>>>(a);
    grid_race<<<4, 1>>>(a);
    cudaStream_t s1, s2; cudaStreamCreate(&s1); cudaStreamCreate(&s2);
    fill<<<4, 256, 0, s1>>>(a, 1024);
    fill<<<4, 256, 0, s2>>>(a, 1024);
    cudaEvent_t e; cudaEventCreate(&e);
    cudaEventRecord(e, s2); cudaStreamWaitEvent(s1, e, 0);
    cudaMemcpyAsync(b, a, 4096, cudaMemcpyDeviceToDevice, s1);
    cudaMemsetAsync(a, 0, 4096, s2);
    cudaDeviceSynchronize();
    cudaMalloc((void**)&b, 1ull << 60);
    cudaFree(a);
    cudaFree(a);
    fill<<<1, 2048>>>(b, 1);
    int* c; cudaMalloc(&c, 4096);
    fill<<<4, 256, 0, s1>>>(c, 1024);
    cudaFreeAsync(c, s2);
    printf("done\n");
}
