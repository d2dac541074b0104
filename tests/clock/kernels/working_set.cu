/*--- lanescope
title = "Each warp reads the same `size` elements again and again"

[params]
size = { default = 1024 }
passes = { default = 4 }
block = { default = 256 }
blocks = { default = 264 }

[buffers]
in = { type = "float", count = "size", init = "random(0.0, 1.0)" }
out = { type = "float", count = "block * blocks" }

[[launch]]
kernel = "again"
grid   = ["blocks"]
block  = ["block"]
args   = ["size", "passes", "in", "out"]
---*/
__global__ void again(int size, int passes, const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int p = 0; p < passes; ++p)
        for (int k = threadIdx.x; k < size; k += blockDim.x)
            sum += in[k];
    out[i] = sum;
}
