/*--- lanescope
title = "More threads than elements, and a guard"

[buffers]
in  = { type = "int", count = "100", init = "iota" }
out = { type = "int", count = "100" }

[[launch]]
kernel = "copy"
grid   = ["4"]
block  = ["32"]
args   = ["in", "out", "in.count"]

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
__global__ void copy(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
