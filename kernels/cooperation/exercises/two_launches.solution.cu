/*--- lanescope
title = "Two launches, one kernel (solution)"
exercise = "cooperation/two_launches"

[params]
n      = { default = 100, min = 1, max = 100000, label = "elements n" }
blocks = { default = 4, min = 1, max = 64, label = "blocks" }

[buffers]
in      = { type = "int", count = "n", init = "random(0, 9)" }
partial = { type = "int", count = "blocks" }
out     = { type = "int", count = "1" }

[[launch]]
kernel = "reduce"
grid   = ["blocks"]
block  = ["64"]
args   = ["in", "partial", "n"]

[[launch]]
kernel = "reduce"
grid   = ["1"]
block  = ["64"]
args   = ["partial", "out", "blocks"]

[[expect]]
buffer = "out"
equals = "sum(in)"
---*/
__global__ void reduce(const int* in, int* out, unsigned n) {
    __shared__ int s[64];
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
