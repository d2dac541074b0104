/*--- lanescope
title = "a = b + s c in a grid-stride loop"

[params]
n = { default = 1000 }
block = { default = 256 }
blocks = { default = 1056 }

[buffers]
a = { type = "float", count = "n" }
b = { type = "float", count = "n", init = "random(0.0, 1.0)" }
c = { type = "float", count = "n", init = "random(0.0, 1.0)" }

[[launch]]
kernel = "triad"
grid   = ["blocks"]
block  = ["block"]
args   = ["n", "a", "b", "c"]
---*/
__global__ void triad(int n, float* a, const float* b, const float* c) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = b[i] + 3.0f * c[i];
}
