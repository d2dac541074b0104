/*--- lanescope
title = "Each thread sets a byte of its own"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]
---*/
__global__ void k(const int* in, int* out) {
    __shared__ unsigned char flags[64];
    int t = threadIdx.x;
    flags[t] = 0;
    __syncthreads();
    flags[t] |= in[t] % 2;
    __syncthreads();
    out[t] = flags[63 - t];
}
