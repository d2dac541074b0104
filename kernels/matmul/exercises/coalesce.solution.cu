/*--- lanescope
title = "Let neighbouring threads take neighbouring columns (solution)"
exercise = "matmul/coalesce"

[params]
n = { default = 32, min = 1, max = 256, label = "rows and columns n" }

[buffers]
a = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["ceil_div(n, 16)", "ceil_div(n, 16)"]
block  = ["256"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
// A block of 256 threads computes 16 × 16 elements of c.
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    int t = threadIdx.x;
    int row = blockIdx.y * 16 + t / 16;
    int col = blockIdx.x * 16 + t % 16;
    if (row < n && col < n) {
        float sum = 0;
        for (int k = 0; k < n; ++k)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}
