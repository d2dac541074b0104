/*--- lanescope
title = "Two barriers in a loop"

[params]
rounds = { default = 4, choices = [2, 4, 6, 8], label = "rounds" }
blocks = { default = 1, min = 1, max = 65536, label = "blocks" }

[buffers]
in  = { type = "int", count = "64 * blocks", init = "iota" }
out = { type = "int", count = "in.count" }

[[launch]]
kernel = "reverse"
grid   = ["blocks"]
block  = ["64"]
args   = ["in", "out", "rounds"]

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
__global__ void reverse(const int* in, int* out, unsigned rounds) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + t;
    int x = in[i];
    for (unsigned k = 0; k < rounds; ++k) {
        s[t] = x;
        __syncthreads();  // all cells are written
        x = s[63 - t];
        __syncthreads();  // all cells are read
    }
    out[i] = x;
}
