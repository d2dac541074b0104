// Makes the mistakes that beginners make; the comments say what is found.
#include <cstdio>

__global__ void fill(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = i;  // one too many
}

__global__ void copy(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];  // `in` was never written
}

__global__ void greet() {
    printf("lost\n");
}

int main() {
    int *values, *never;
    cudaMalloc(&values, 64 * sizeof(int));
    cudaMalloc(&never, 32 * sizeof(int));
    copy<<<1, 32>>>(never, values);
    greet<<<1, 1>>>();
    copy<<<1, 2048>>>(never, values);  // too many threads, and no check
    int host[80];
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);  // more than there is
    fill<<<1, 128>>>(values, 64);
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 7 : 8;
}
