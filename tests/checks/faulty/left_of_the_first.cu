/*--- lanescope
title = "A neighbour on the left of the first element"

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
    int i = threadIdx.x;
    out[i] = in[i] - in[i - 1];  // (a)
}
