/*--- lanescope
title = "Lanes shuffle in a loop that they leave at different times"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["unsynced_lanes"]
---*/
// Finds: unsynced_lanes (a) (b)
__global__ void k(const int* in, int* out) {
    int sum = 0;
    for (int i = 0; i < in[threadIdx.x]; ++i)
        sum += __shfl_sync(0xffffffffu, in[threadIdx.x], i);  // (a)
    out[threadIdx.x] = sum;
}  // (b)
