/*--- lanescope
title = "The mean of 3 × 3 bytes"

[params]
rows = { default = 32 }
cols = { default = 64 }

[buffers]
in = { type = "uchar", count = "rows * cols", init = "random(0, 255)" }
out = { type = "uchar", count = "rows * cols" }

[[launch]]
kernel = "blur"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block  = ["32", "8"]
args   = ["rows", "cols", "in", "out"]
---*/
__global__ void blur(int rows, int cols, const unsigned char* in, unsigned char* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= cols - 1 || y >= rows - 1) return;
    const unsigned char* p = in + y * cols + x;
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            sum += p[dy * cols + dx];
    out[y * cols + x] = sum / 9;
}
