/*--- lanescope
title = "The roofline"

[params]
n      = { default = 64, min = 0, max = 268435456, label = "elements n" }
rounds = { default = 4, min = 0, max = 1024, label = "rounds for each element" }

[buffers]
in   = { type = "float", count = "n", init = "random(0, 9)" }
ones = { type = "float", count = "n", init = "constant(1)" }
out  = { type = "float", count = "n" }

[[launch]]
kernel = "compute"
grid   = ["max(1, ceil_div(n, 256))"]
block  = ["256"]
args   = ["in", "out", "n", "rounds", "1.0", "1.0"]

[[expect]]
buffer = "out"
equals = "axpy(rounds, ones, in)"
---*/
__global__ void compute(const float* in, float* out, unsigned n, int rounds, float a, float b) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        for (int r = 0; r < rounds; ++r)
            x = a * x + b;  // one multiplication and one addition, in one instruction
        out[i] = x;
    }
}
