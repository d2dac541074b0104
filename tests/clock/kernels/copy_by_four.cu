/*--- lanescope
title = "A copy, four floats a thread"

[params]
n = { default = 1024 }
block = { default = 256 }

[buffers]
a = { type = "float4", count = "n / 4" }
b = { type = "float", count = "n", init = "random(0.0, 1.0)" }

[[launch]]
kernel = "copy4"
grid   = ["ceil_div(n / 4, block)"]
block  = ["block"]
args   = ["a", "b", "n / 4"]
---*/
__global__ void copy4(float4* a, const float4* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i];
}
