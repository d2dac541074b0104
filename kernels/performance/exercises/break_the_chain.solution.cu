/*--- lanescope
title = "Break the chain (solution)"
exercise = "performance/break_the_chain"

[params]
n = { default = 64, min = 1, max = 100000, label = "columns n" }

[buffers]
in   = { type = "int", shape = ["32", "n"], init = "random(0, 9)" }
ones = { type = "int", shape = ["1", "32"], init = "constant(1)" }
out  = { type = "int", shape = ["1", "n"] }

[[launch]]
kernel = "column_sums"
grid   = ["ceil_div(n, 32)"]
block  = ["32"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "matmul(ones, in)"
---*/
__global__ void column_sums(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int a = 0, b = 0, c = 0, d = 0;
        for (int k = 0; k < 32; k += 4) {
            a += in[k * n + i];
            b += in[(k + 1) * n + i];
            c += in[(k + 2) * n + i];
            d += in[(k + 3) * n + i];
        }
        out[i] = (a + b) + (c + d);
    }
}
