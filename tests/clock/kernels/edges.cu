/*--- lanescope
title = "The gradient of Sobel on bytes"

[params]
rows = { default = 32 }
cols = { default = 64 }

[buffers]
in = { type = "uchar", count = "rows * cols", init = "random(0, 255)" }
out = { type = "uchar", count = "rows * cols" }

[[launch]]
kernel = "edges"
grid   = ["ceil_div(cols, 16)", "ceil_div(rows, 16)"]
block  = ["16", "16"]
args   = ["rows", "cols", "in", "out"]
---*/
__global__ void edges(int rows, int cols, const unsigned char* in, unsigned char* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= cols - 1 || y >= rows - 1) return;
    const unsigned char* p = in + y * cols + x;
    int across = p[1 - cols] + 2 * p[1] + p[1 + cols] - p[-1 - cols] - 2 * p[-1] - p[-1 + cols];
    int down = p[cols - 1] + 2 * p[cols] + p[cols + 1] - p[-cols - 1] - 2 * p[-cols] - p[-cols + 1];
    out[y * cols + x] = min(255.0f, sqrtf(across * across + down * down));
}
