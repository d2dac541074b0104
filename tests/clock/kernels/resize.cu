/*--- lanescope
title = "Half the size by bilinear weights"

[params]
rows = { default = 32 }
cols = { default = 64 }

[buffers]
in = { type = "float", count = "4 * rows * cols", init = "random(0.0, 1.0)" }
out = { type = "float", count = "rows * cols" }

[[launch]]
kernel = "resize"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block  = ["32", "8"]
args   = ["rows", "cols", "in", "out"]
---*/
__global__ void resize(int rows, int cols, const float* in, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const float* p = in + 2 * y * 2 * cols + 2 * x;
    out[y * cols + x] = 0.25f * (p[0] + p[1] + p[2 * cols] + p[2 * cols + 1]);
}
