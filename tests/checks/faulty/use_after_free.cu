/*--- lanescope
title = "Device memory is used after it was freed"

[buffers]
in  = { type = "int", count = "32", init = "iota" }
out = { type = "int", count = "32" }

[[launch]]
kernel = "sort_pairs"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void sort_pairs(const int* in, int* out) {
    int* pair = static_cast<int*>(malloc(2 * sizeof(int)));
    pair[0] = in[threadIdx.x];
    pair[1] = in[31 - threadIdx.x];
    free(pair);
    out[threadIdx.x] = min(pair[0], pair[1]);  // (a)
}
