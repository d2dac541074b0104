/*--- lanescope
title = "One launch for each part"

[params]
n     = { default = 100, min = 0, max = 16777216, label = "elements n" }
parts = { default = 4, min = 1, max = 64, label = "parts" }
block = { default = 32, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "square"
repeat = "p = 0; p < parts; p + 1"
grid   = ["max(1, ceil_div(ceil_div(n, parts), block))"]
block  = ["block"]
args   = ["in", "out", "min(n, p * ceil_div(n, parts))", "min(n, (p + 1) * ceil_div(n, parts))"]

[[expect]]
buffer = "out"
equals = "square(in)"
---*/
// Works on the elements of one part: those from `first` up to the element before `end`.
__global__ void square(const int* in, int* out, unsigned first, unsigned end) {
    unsigned i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end)
        out[i] = in[i] * in[i];
}
