/*--- lanescope
title = "Loads from random places"

[params]
n = { default = 1000 }
block = { default = 256 }

[buffers]
in = { type = "float", count = "n", init = "random(0.0, 1.0)" }
index = { type = "int", count = "n", init = "random(0, n - 1)" }
out = { type = "float", count = "n" }

[[launch]]
kernel = "gather"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "in", "index", "out"]
---*/
__global__ void gather(int n, const float* in, const int* index, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[index[i]];
}
