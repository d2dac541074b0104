/*--- lanescope
title = "Loads that are `stride` elements apart"

[params]
n = { default = 4096 }
stride = { default = 1 }
block = { default = 256 }

[buffers]
in = { type = "float", count = "n * stride", init = "random(0.0, 1.0)" }
out = { type = "float", count = "n" }

[[launch]]
kernel = "strided"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "stride", "in", "out"]
---*/
__global__ void strided(int n, int stride, const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * stride];
}
