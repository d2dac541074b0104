/*--- lanescope
title = "Letters of a text: a copy of seven bins, indexed by byte / 4"

[params]
n      = { default = 41, min = 1, max = 268435456, label = "characters n" }
blocks = { default = 1, min = 1, max = 65536, label = "blocks" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "char", count = "n", text = "programming massively parallel processors" }
out = { type = "uint", count = "7", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["blocks"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
problems = ["out_of_bounds"]
---*/
__global__ void histogram(const char* in, unsigned* out, unsigned n) {
    __shared__ unsigned s[7];
    unsigned t = threadIdx.x;
    if (t < 7)
        s[t] = 0;
    __syncthreads();

    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[in[i] / 4], 1);
    __syncthreads();

    if (t < 7)
        atomicAdd(&out[t], s[t]);
}
