/*--- lanescope
title = "Threads without work leave; nobody waits for them"

[buffers]
in  = { type = "int", count = "70", init = "iota" }
out = { type = "int", count = "70" }

[[launch]]
kernel = "square"
grid   = ["3"]
block  = ["32"]
args   = ["in", "out", "in.count"]

[[expect]]
buffer = "out"
equals = "square(in)"
---*/
__global__ void square(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int value = in[i];
    out[i] = value * value;
}
