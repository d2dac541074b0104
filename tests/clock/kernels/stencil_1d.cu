/*--- lanescope
title = "Nine points of a row"

[params]
n = { default = 1000 }
block = { default = 128 }

[buffers]
in = { type = "float", count = "n", init = "random(0.0, 1.0)" }
out = { type = "float", count = "n" }

[[launch]]
kernel = "stencil"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "in", "out"]
---*/
__global__ void stencil(int n, const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 4 || i >= n - 4) return;
    float sum = 0;
    for (int d = -4; d <= 4; ++d)
        sum += in[i + d];
    out[i] = sum / 9;
}
