/*--- lanescope
title = "A matrix times a vector, a warp a row"

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
grid   = ["ceil_div(32 * rows, block)"]
block  = ["block"]
args   = ["rows", "cols", "a", "x", "y"]
---*/
__global__ void gemv(int rows, int cols, const float* a, const float* x, float* y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = lane; k < cols; k += 32)
        sum += a[row * cols + k] * x[k];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
}
