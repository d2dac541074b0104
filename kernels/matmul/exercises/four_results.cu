/*--- lanescope
title = "Four results for each load"
exercise = "matmul/four_results"

[params]
n = { default = 32, min = 1, max = 256, label = "rows and columns n" }

[buffers]
a = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
b = { type = "float", shape = ["n", "n"], init = "random(0, 9)" }
c = { type = "float", shape = ["n", "n"] }

[[launch]]
kernel = "matmul"
grid   = ["ceil_div(n, 32)", "ceil_div(n, 16)"]
block  = ["32", "4"]
args   = ["a", "b", "c", "n"]

[[expect]]
buffer = "c"
equals = "matmul(a, b)"
---*/
// A thread computes four elements of c, one below the other.
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
    for (int r = 0; r < 4; ++r)
        if (row + r < n && col < n) {
            float sum = 0;
            for (int k = 0; k < n; ++k)
                sum += a[(row + r) * n + k] * b[k * n + col];
            c[(row + r) * n + col] = sum;
        }
}
