/*--- lanescope
title = "Set an array to zero"

[params]
block = { default = 512, min = 1, max = 1024, label = "block size" }

[buffers]
data = { type = "int", count = "1000", init = "iota", space = "device" }

[[launch]]
kernel = "set_zero"
grid   = ["ceil_div(data.count, block)"]
block  = ["block"]

[[expect]]
buffer = "data"
equals = "constant(0)"
---*/
constexpr unsigned n = 1000;
__device__ int data[n];

__global__ void set_zero() {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = 0;
}
