/*--- lanescope
title = "Half of a warp waits for the other half"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "reverse_half"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["barrier_divergence"]
---*/
// Finds: barrier_divergence (a) (b)
__global__ void reverse_half(const int* in, int* out) {
    __shared__ int s[16];
    unsigned t = threadIdx.x;
    int value = in[t];
    if (t < 16) {
        s[t] = value;
        __syncthreads();   // (a)
        value = s[15 - t];
    }
    out[t] = 2 * value;
}                          // (b)
