/*--- lanescope
title = "Four results for each load (solution)"
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
    if (col >= n)
        return;
    float sum[4] = {};
    for (int k = 0; k < n; ++k) {
        float rb = b[k * n + col];
        for (int r = 0; r < 4; ++r)
            if (row + r < n)
                sum[r] += a[(row + r) * n + k] * rb;
    }
    for (int r = 0; r < 4; ++r)
        if (row + r < n)
            c[(row + r) * n + col] = sum[r];
}
