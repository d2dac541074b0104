/*--- lanescope
title = "A filter of 5 × 5 weights in constant memory"

[params]
rows = { default = 32 }
cols = { default = 64 }

[buffers]
w = { type = "float", count = "25", space = "constant", init = "constant(0.04)" }
in = { type = "float", count = "rows * cols", init = "random(0.0, 1.0)" }
out = { type = "float", count = "rows * cols" }

[[launch]]
kernel = "filter"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block  = ["32", "8"]
args   = ["rows", "cols", "in", "out"]
---*/
__constant__ float w[25];

__global__ void filter(int rows, int cols, const float* in, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= cols - 2 || y >= rows - 2) return;
    float sum = 0;
    for (int dy = 0; dy < 5; ++dy)
        for (int dx = 0; dx < 5; ++dx)
            sum += w[dy * 5 + dx] * in[(y + dy - 2) * cols + x + dx - 2];
    out[y * cols + x] = sum;
}
