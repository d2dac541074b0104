/*--- lanescope
title = "Copy of a matrix"

[params]
rows = { default = 40, min = 0, max = 32768 }
cols = { default = 70, min = 0, max = 32768, label = "columns" }

[buffers]
in  = { type = "int", shape = ["rows", "cols"], init = "iota" }
out = { type = "int", shape = ["rows", "cols"] }

[[launch]]
kernel = "copy"
grid   = ["max(1, ceil_div(cols, 32))", "max(1, ceil_div(rows, 32))"]
block  = ["32", "32"]
args   = ["in", "out", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "copy(in)"
---*/
__global__ void copy(const int* in, int* out, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}
