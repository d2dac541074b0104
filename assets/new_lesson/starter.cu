/*--- lanescope
title = "Add the guard"
exercise = "TOPIC/EXERCISE"

[params]
n = { default = 40, min = 1, max = 10000, label = "elements" }

[buffers]
in  = { type = "int", count = "n", init = "random(0, 9)" }
out = { type = "int", count = "n" }

[[launch]]
kernel = "NAME"
grid   = ["ceil_div(n, 32)"]
block  = ["32"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "add(in, in)"
---*/
__global__ void NAME(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}
