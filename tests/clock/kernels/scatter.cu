/*--- lanescope
title = "Stores to places all over an array; n is a power of two"

[params]
n = { default = 1024 }
block = { default = 256 }

[buffers]
in = { type = "float", count = "n", init = "random(0.0, 1.0)" }
out = { type = "float", count = "n" }

[[launch]]
kernel = "scatter"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "in", "out"]
---*/
__global__ void scatter(unsigned n, const float* in, float* out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i * 2654435761u % n] = in[i];
}
