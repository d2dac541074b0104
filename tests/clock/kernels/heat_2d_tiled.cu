/*--- lanescope
title = "Five points of a plane, through shared memory"

[params]
rows = { default = 40 }
cols = { default = 64 }

[buffers]
in = { type = "float", count = "rows * cols", init = "random(0.0, 1.0)" }
out = { type = "float", count = "rows * cols" }

[[launch]]
kernel = "heat"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 16)"]
block  = ["32", "16"]
args   = ["rows", "cols", "in", "out"]
---*/
__global__ void heat(int rows, int cols, const float* in, float* out) {
    __shared__ float s[18][34];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    bool inside = x < cols && y < rows;
    if (inside) {
        s[ty][tx] = in[y * cols + x];
        if (tx == 1 && x > 0) s[ty][0] = in[y * cols + x - 1];
        if (tx == 32 && x + 1 < cols) s[ty][33] = in[y * cols + x + 1];
        if (ty == 1 && y > 0) s[0][tx] = in[(y - 1) * cols + x];
        if (ty == 16 && y + 1 < rows) s[17][tx] = in[(y + 1) * cols + x];
    }
    __syncthreads();
    if (x < 1 || y < 1 || x >= cols - 1 || y >= rows - 1) return;
    out[y * cols + x] = 0.5f * s[ty][tx] + 0.125f * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx]);
}
