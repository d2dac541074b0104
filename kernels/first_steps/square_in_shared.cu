/*--- lanescope
title = "Squares in shared memory"

[params]
n     = { default = 40, min = 0, max = 268435456, label = "elements n" }
block = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "square"
grid   = ["max(1, ceil_div(n, block))"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "square(in)"
---*/
__global__ void square(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        s[t] = in[i];
        s[t] = s[t] * s[t];
        out[i] = s[t];
    }
}
