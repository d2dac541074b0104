/*--- lanescope
title = "Matrix multiplication"

[params]
n = { default = 16, min = 0, max = 8192, label = "rows and columns n" }

[buffers]
a = { type = "int", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "int", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "int", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["max(1, ceil_div(n, 8))", "max(1, ceil_div(n, 8))"]
block  = ["8", "8"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
__global__ void matmul(const int* a, const int* b, int* c, unsigned n) {
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n)
        return;
    int sum = 0;
    for (unsigned k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}
