#include <cstdio>

extern __device__ int twice(int x);
extern __device__ int offset;

__global__ void compute(int* out) {
    const int x = twice(threadIdx.x);
    out[threadIdx.x] = x + offset;
}

int main() {
    int *out, host[4];
    cudaMalloc(&out, sizeof host);
    compute<<<1, 4>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    std::printf("%d %d\n", host[0], host[3]);
    return 0;
}
