/*--- lanescope
title = "Many blocks, two launches"

[params]
n      = { default = 1000000, min = 0, max = 268435456, label = "elements n" }
blocks = { default = 24, min = 1, max = 65536, label = "blocks" }
block  = { default = 256, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in      = { type = "int", count = "n", init = "random(0, 9)" }
partial = { type = "int", count = "blocks" }
out     = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["blocks"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "partial", "n"]

[[launch]]
kernel = "reduce"
grid   = ["1"]
block  = ["block"]
shared = "block * 4"
args   = ["partial", "out", "blocks"]

[[expect]]
buffer = "partial"
equals = "grid_sums(in, blocks, block)"

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__global__ void reduce(const int* in, int* out, unsigned n) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;

    int sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    s[t] = sum;

    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride)
            s[t] += s[t + stride];
    }

    if (t == 0)
        out[blockIdx.x] = s[0];
}
