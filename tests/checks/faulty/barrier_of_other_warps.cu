/*--- lanescope
title = "Two warps meet at two different barriers"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "pass_on"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["barrier_divergence"]
---*/
// Finds: barrier_divergence (a) (b)
__global__ void pass_on(const int* in, int* out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    if (t < 32) {
        __syncthreads();       // (a)
        out[t] = s[t + 32];
    } else {
        __syncthreads();       // (b)
        out[t] = s[t - 32];
    }
}
