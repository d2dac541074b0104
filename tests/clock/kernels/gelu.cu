/*--- lanescope
title = "An activation with tanh"

[params]
n = { default = 1000 }
block = { default = 256 }

[buffers]
in = { type = "float", count = "n", init = "random(0.0, 1.0)" }
out = { type = "float", count = "n" }

[[launch]]
kernel = "gelu"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "in", "out"]
---*/
__global__ void gelu(int n, const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    out[i] = 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}
