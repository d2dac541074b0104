/*--- lanescope
title = "An array of structures becomes a structure of arrays"

[params]
n = { default = 1000 }
block = { default = 256 }

[buffers]
in = { type = "float", count = "5 * n", init = "random(0.0, 1.0)" }
out = { type = "float", count = "5 * n" }

[[launch]]
kernel = "split"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "in", "out"]
---*/
__global__ void split(int n, const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < 5; ++k)
        out[k * n + i] = in[5 * i + k];
}
