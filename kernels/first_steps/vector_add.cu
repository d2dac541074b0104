/*--- lanescope
title = "Vector addition"

[params]
n     = { default = 5, min = 0, max = 268435456, label = "elements n" }
block = { default = 3, min = 1, max = 1024, label = "block size" }

[buffers]
a = { type = "int", count = "n", init = "iota(1)" }
b = { type = "int", count = "n", init = "iota(10, 10)" }
c = { type = "int", count = "n" }

[[launch]]
kernel = "add"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "add(a, b)"
---*/
__global__ void add(const int* a, const int* b, int* c, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

// The host's part.
#include <cstdio>

int main() {
    const unsigned n = 5, block = 3;
    int a[n] = {1, 2, 3, 4, 5}, b[n] = {10, 20, 30, 40, 50}, c[n];
    int *device_a, *device_b, *device_c;
    cudaMalloc(&device_a, sizeof a);
    cudaMalloc(&device_b, sizeof b);
    cudaMalloc(&device_c, sizeof c);
    cudaMemcpy(device_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice);
    add<<<(n + block - 1) / block, block>>>(device_a, device_b, device_c, n);
    cudaMemcpy(c, device_c, sizeof c, cudaMemcpyDeviceToHost);
    for (int sum : c)
        printf("%d ", sum);
    printf("\n");
    cudaFree(device_a), cudaFree(device_b), cudaFree(device_c);
}
