/*--- lanescope
title = "A barrier"

[params]
blocks = { default = 1, min = 1, max = 65536, label = "blocks" }

[buffers]
in  = { type = "int", count = "64 * blocks", init = "iota" }
out = { type = "int", count = "in.count" }

[[launch]]
kernel = "reverse"
grid   = ["blocks"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
buffer = "out"
equals = "reverse(in, 64)"
---*/
__global__ void reverse(const int* in, int* out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    __syncthreads();
    out[i] = s[63 - t];
}
