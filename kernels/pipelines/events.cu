/*--- lanescope
title = "Two streams that meet"

[params]
n     = { default = 50, min = 0, max = 134217728, label = "elements n" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
a   = { type = "int", count = "n", init = "iota" }
b   = { type = "int", count = "n", init = "random(0, 9)" }
aa  = { type = "int", count = "n" }
bb  = { type = "int", count = "n" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "square"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["a", "aa", "n"]

[[launch]]
kernel = "square"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["b", "bb", "n"]

[[launch]]
kernel = "add"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
args   = ["aa", "bb", "out", "n"]

[[expect]]
buffer = "aa"
equals = "square(a)"

[[expect]]
buffer = "bb"
equals = "square(b)"

[[expect]]
buffer = "out"
equals = "add(aa, bb)"
---*/
#include <cstdio>

__global__ void square(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i];
}

__global__ void add(const int* a, const int* b, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + b[i];
}

// The host's part: the squares of a and b are computed in two streams, and their sum needs both.
int main() {
    const unsigned n = 50, bytes = n * sizeof(int), blocks = (n + 31) / 32;
    int host[2 * n], *a, *aa, *out;  // b and bb lie behind a and aa
    for (unsigned i = 0; i < 2 * n; ++i)
        host[i] = i % n;
    cudaMalloc(&a, 2 * bytes), cudaMalloc(&aa, 2 * bytes), cudaMalloc(&out, bytes);

    cudaStream_t one, two;
    cudaEvent_t copied, squared;
    cudaStreamCreate(&one), cudaStreamCreate(&two);
    cudaEventCreate(&copied), cudaEventCreate(&squared);

    cudaMemcpyAsync(a, host, 2 * bytes, cudaMemcpyHostToDevice, one);
    cudaEventRecord(copied, one);
    cudaStreamWaitEvent(two, copied, 0);  // fork: stream two waits for the copy
    square<<<blocks, 32, 0, one>>>(a, aa, n);
    square<<<blocks, 32, 0, two>>>(a + n, aa + n, n);
    cudaEventRecord(squared, two);
    cudaStreamWaitEvent(one, squared, 0);  // join: stream one waits for the squares of b
    add<<<blocks, 32, 0, one>>>(aa, aa + n, out, n);
    cudaMemcpyAsync(host, out, bytes, cudaMemcpyDeviceToHost, one);
    cudaStreamSynchronize(one);

    printf("%d %d\n", host[1], host[n - 1]);
    cudaEventDestroy(copied), cudaEventDestroy(squared);
    cudaStreamDestroy(one), cudaStreamDestroy(two);
    cudaFree(a), cudaFree(aa), cudaFree(out);
}
