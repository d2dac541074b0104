/*--- lanescope
title = "A race"

[params]
blocks = { default = 1, min = 1, max = 65536, label = "blocks" }

[buffers]
data = { type = "int", count = "64 * blocks", init = "iota" }

[[launch]]
kernel = "reverse"
grid   = ["blocks"]
block  = ["64"]
args   = ["data"]

[[expect]]
problems = ["race"]
---*/
__global__ void reverse(int* data) {
    unsigned t = threadIdx.x;
    unsigned first = blockIdx.x * blockDim.x;
    int x = data[first + 63 - t];
    data[first + t] = x;
}
