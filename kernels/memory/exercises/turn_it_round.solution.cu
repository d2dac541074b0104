/*--- lanescope
title = "Turn the product round"
exercise = "memory/turn_it_round"

[params]
n = { default = 32, min = 1, max = 512, label = "rows and columns n" }

[buffers]
a = { type = "int", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "int", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "int", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["ceil_div(n, 32)", "ceil_div(n, 4)"]
block  = ["32", "4"]
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
