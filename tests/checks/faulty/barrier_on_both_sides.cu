/*--- lanescope
title = "Each side of a branch has its own barrier"

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
    if (t % 2 == 0) {
        s[t] = in[t];
        __syncthreads();   // (a)
    } else {
        s[t] = -in[t];
        __syncthreads();   // (b)
    }
    out[t] = s[63 - t];
}
