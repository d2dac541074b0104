/*--- lanescope
title = "Why is it slow? A checklist"

[params]
rows = { default = 128, min = 0, max = 4194304, label = "rows" }

[buffers]
in  = { type = "int", shape = ["rows", "32"], init = "random(0, 9)" }
out = { type = "int", count = "rows" }

[[launch]]
kernel = "row_sums"
grid   = ["max(1, ceil_div(rows, 128))"]
block  = ["128"]
args   = ["in", "out", "rows"]

[[expect]]
buffer = "out"
equals = "block_sums(in, 32)"
---*/
// Adds up each row of 32 numbers. It is right, but two mistakes make it slow.
__global__ void row_sums(const int* in, int* out, int rows) {
    __shared__ int s[128][32];
    int t = threadIdx.x, row = blockIdx.x * 128 + t;
    if (row < rows)
        for (int k = 0; k < 32; ++k)
            s[t][k] = in[row * 32 + k];
    __syncthreads();
    if (row < rows) {
        int sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += s[t][k];
        out[row] = sum;
    }
}
