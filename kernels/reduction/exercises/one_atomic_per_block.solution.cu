/*--- lanescope
title = "One atomic operation per block (solution)"
exercise = "reduction/one_atomic_per_block"

[params]
n      = { default = 200, min = 1, max = 100000, label = "elements n" }
blocks = { default = 4, min = 1, max = 64, label = "blocks" }
block  = { default = 32, choices = [32, 64, 128], label = "block size" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "1", init = "zero" }

[[launch]]
kernel = "reduce"
grid   = ["blocks"]
block  = ["block"]
shared = "block * 4"
args   = ["in", "out", "n"]

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
        atomicAdd(out, s[0]);
}
