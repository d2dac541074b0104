/*--- lanescope
title = "One generation of the game of life"

[params]
rows = { default = 32 }
cols = { default = 64 }

[buffers]
in = { type = "int", count = "rows * cols", init = "random(0, 1)" }
out = { type = "int", count = "rows * cols" }

[[launch]]
kernel = "life"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block  = ["32", "8"]
args   = ["rows", "cols", "in", "out"]
---*/
__global__ void life(int rows, int cols, const int* in, int* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) alive += in[(y + dy + rows) % rows * cols + (x + dx + cols) % cols];
    out[y * cols + x] = alive == 3 || (alive == 2 && in[y * cols + x]);
}
