/*--- lanescope
title = "A whole program"

[params]
n     = { default = 10, min = 0, max = 268435456, label = "elements n" }
block = { default = 4, min = 1, max = 1024, label = "block size" }

[buffers]
x = { type = "int", count = "n", init = "iota" }

[[launch]]
kernel = "square"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["x", "n"]

[[expect]]
buffer = "x"
equals = "square(x)"
---*/
#include <cstdio>
#include <cstdlib>

__global__ void square(int* x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= x[i];
}

// The host's part. nvcc makes a program of the whole file.
static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

int main() {
    const unsigned n = 10, block = 4;
    int host[n];
    for (unsigned i = 0; i < n; ++i)
        host[i] = i;

    int* x;
    check(cudaMalloc(&x, sizeof host));
    check(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    square<<<(n + block - 1) / block, block>>>(x, n);
    check(cudaGetLastError());       // the launch was accepted
    check(cudaDeviceSynchronize());  // the kernel has ended without a fault
    check(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    check(cudaFree(x));

    for (int value : host)
        printf("%d ", value);
    printf("\n");
}
