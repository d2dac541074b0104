/*--- lanescope
title = "A matrix product, one thread an element"

[params]
n = { default = 64 }

[buffers]
a = { type = "float", count = "n * n", init = "random(0.0, 1.0)" }
b = { type = "float", count = "n * n", init = "random(0.0, 1.0)" }
c = { type = "float", count = "n * n" }

[[launch]]
kernel = "gemm"
grid   = ["ceil_div(n, 32)", "ceil_div(n, 8)"]
block  = ["32", "8"]
args   = ["n", "a", "b", "c"]
---*/
__global__ void gemm(int n, const float* a, const float* b, float* c) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
