/*--- lanescope
title = "Matrix product, neighbouring threads in neighbouring columns"

[params]
n = { default = 64, min = 0, max = 8192, label = "rows and columns n" }

[buffers]
a = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["max(1, ceil_div(n, 32))", "max(1, ceil_div(n, 32))"]
block  = ["32", "32"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0;
        for (int k = 0; k < n; ++k)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}
