/*--- lanescope
title = "A matrix times a vector, a thread a row"

[params]
rows = { default = 100 }
cols = { default = 64 }
block = { default = 128 }

[buffers]
a = { type = "float", count = "rows * cols", init = "random(0.0, 1.0)" }
x = { type = "float", count = "cols", init = "random(0.0, 1.0)" }
y = { type = "float", count = "rows" }

[[launch]]
kernel = "gemv"
grid   = ["ceil_div(rows, block)"]
block  = ["block"]
args   = ["rows", "cols", "a", "x", "y"]
---*/
__global__ void gemv(int rows, int cols, const float* a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float sum = 0;
    for (int k = 0; k < cols; ++k)
        sum += a[i * cols + k] * x[k];
    y[i] = sum;
}
