/*--- lanescope
title = "Two mistakes (solution)"
exercise = "performance/two_mistakes"

[params]
rows = { default = 128, min = 1, max = 100000, label = "rows" }

[buffers]
in  = { type = "int", shape = ["rows", "32"], init = "random(0, 9)" }
out = { type = "int", count = "rows" }

[[launch]]
kernel = "row_sums"
grid   = ["ceil_div(rows, 128)"]
block  = ["128"]
args   = ["in", "out", "rows"]

[[expect]]
buffer = "out"
equals = "block_sums(in, 32)"
---*/
// Neighbouring threads load neighbours, and one more column moves each row by one bank.
__global__ void row_sums(const int* in, int* out, int rows) {
    __shared__ int s[128][33];
    int t = threadIdx.x, first = blockIdx.x * 128, row = first + t;
    for (int i = t; i < 128 * 32; i += 128)
        if (first * 32 + i < rows * 32)
            s[i / 32][i % 32] = in[first * 32 + i];
    __syncthreads();
    if (row < rows) {
        int sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += s[t][k];
        out[row] = sum;
    }
}
