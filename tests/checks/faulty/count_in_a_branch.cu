/*--- lanescope
title = "A counting barrier in a branch"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["barrier_divergence"]
---*/
// Finds: barrier_divergence (a) (b)
__global__ void k(const int* in, int* out) {
    int t = threadIdx.x, positive = in[t] > 9;
    int count = 0;
    if (positive) count = __syncthreads_count(in[t] > 20);  // (a)
    out[t] = count + positive;
}  // (b)
