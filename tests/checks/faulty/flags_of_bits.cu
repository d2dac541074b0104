/*--- lanescope
title = "Threads set single bits of a byte"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["race"]
---*/
// Finds: race (a) (a)
__global__ void k(const int* in, int* out) {
    __shared__ unsigned char flags[64];
    int t = threadIdx.x;
    flags[t] = 0;
    __syncthreads();
    flags[t % 8] |= 1 << t / 8;  // (a)
    __syncthreads();
    out[t] = flags[63 - t];
}
