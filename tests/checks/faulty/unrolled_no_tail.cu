/*--- lanescope
title = "A loop unrolled by four, without its tail"

[buffers]
in  = { type = "int", count = "70", init = "iota" }
out = { type = "int", count = "70" }

[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["16"]
args   = ["in", "out", "70"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void k(const int* in, int* out, int n) {
    for (int i = 4 * threadIdx.x; i < n; i += 4 * blockDim.x)
        for (int j = 0; j < 4; ++j)
            out[i + j] = 2 * in[i + j];  // (a)
}
