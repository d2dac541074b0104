/*--- lanescope
title = "A row times a pitch, in 32 bits"

[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["64"]
args   = ["in", "out", "67108865"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void k(const int* in, int* out, int pitch) {
    int row = threadIdx.x;
    int at = row * pitch;
    out[row] = in[at % 64];  // (a)
}
