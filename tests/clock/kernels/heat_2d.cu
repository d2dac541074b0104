/*--- lanescope
title = "Five points of a plane"

[params]
rows = { default = 40 }
cols = { default = 64 }

[buffers]
in = { type = "float", count = "rows * cols", init = "random(0.0, 1.0)" }
out = { type = "float", count = "rows * cols" }

[[launch]]
kernel = "heat"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block  = ["32", "8"]
args   = ["rows", "cols", "in", "out"]
---*/
__global__ void heat(int rows, int cols, const float* in, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= cols - 1 || y >= rows - 1) return;
    const float* p = in + y * cols + x;
    out[y * cols + x] = 0.5f * p[0] + 0.125f * (p[-1] + p[1] + p[-cols] + p[cols]);
}
