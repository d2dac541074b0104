/*--- lanescope
title = "One element too many"

[buffers]
in  = { type = "int", count = "100", init = "iota" }
out = { type = "int", count = "101" }

[[launch]]
kernel = "copy"
grid   = ["4"]
block  = ["32"]
args   = ["in", "out", "in.count"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
__global__ void copy(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)           // i < n was meant
        out[i] = in[i];   // (a)
}
