/*--- lanescope
title = "Without local memory (solution)"
exercise = "performance/no_local_memory"

[params]
n = { default = 64, min = 1, max = 100000, label = "elements n" }

[buffers]
in      = { type = "int", count = "n", init = "random(0, 9)" }
factors = { type = "int", count = "n", values = [1, 10, 100, 1000] }
out     = { type = "int", count = "n" }

[[launch]]
kernel = "scale"
grid   = ["ceil_div(n, 32)"]
block  = ["32"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "multiply(in, factors)"
---*/
__global__ void scale(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int factor = 1;
        for (unsigned k = 0; k < i % 4; ++k)
            factor *= 10;
        out[i] = factor * in[i];
    }
}
