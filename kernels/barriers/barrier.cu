/*--- lanescope
title = "A barrier"

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
buffer = "data"
equals = "reverse(data, 64)"
---*/
__global__ void reverse(int* data) {
    unsigned t = threadIdx.x;
    unsigned first = blockIdx.x * blockDim.x;
    int x = data[first + 63 - t];
    __syncthreads();
    data[first + t] = x;
}
