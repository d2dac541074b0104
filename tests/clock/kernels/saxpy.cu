/*--- lanescope
title = "y = a x + y"

[params]
n = { default = 1000 }
block = { default = 256 }

[buffers]
x = { type = "float", count = "n", init = "random(0.0, 1.0)" }
y = { type = "float", count = "n", init = "random(0.0, 1.0)" }

[[launch]]
kernel = "saxpy"
grid   = ["ceil_div(n, block)"]
block  = ["block"]
args   = ["n", "2.5", "x", "y"]
---*/
__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
