/*--- lanescope
title = "Bytes in 256 bins, counted in global memory"

[params]
n      = { default = 256, min = 0, max = 268435456, label = "bytes n" }
values = { default = 16, min = 1, max = 256, label = "different values" }
blocks = { default = 2, min = 1, max = 65536, label = "blocks" }
block  = { default = 64, choices = [32, 64, 128, 256, 512, 1024], label = "block size" }

[buffers]
in  = { type = "uchar", count = "n", init = "random(0, values - 1)" }
out = { type = "uint", count = "256", init = "zero" }

[[launch]]
kernel = "histogram"
grid   = ["blocks"]
block  = ["block"]
args   = ["in", "out", "n"]

[[expect]]
buffer = "out"
equals = "histogram(in, 1)"
---*/
__global__ void histogram(const unsigned char* in, unsigned* out, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&out[in[i]], 1);
}
