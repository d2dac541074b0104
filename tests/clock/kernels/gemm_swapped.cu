/*--- lanescope
title = "A matrix product whose lanes go down the columns"

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
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}
