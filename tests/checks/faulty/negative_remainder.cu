/*--- lanescope
title = "The remainder of a product that overflows is negative"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void k(const int* in, int* out) {
    int hash = in[threadIdx.x] * 1103515245;
    out[threadIdx.x] = in[hash % 64];  // (a)
}
