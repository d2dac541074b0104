/*--- lanescope
title = "Transpose, element by element"

[params]
rows = { default = 40, min = 0, max = 32768 }
cols = { default = 70, min = 0, max = 32768, label = "columns" }

[buffers]
in  = { type = "int", shape = ["rows", "cols"], init = "iota" }
out = { type = "int", shape = ["cols", "rows"] }

[[launch]]
kernel = "transpose"
grid   = ["max(1, ceil_div(cols, 32))", "max(1, ceil_div(rows, 32))"]
block  = ["32", "32"]
args   = ["in", "out", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "transpose(in)"
---*/
__global__ void transpose(const int* in, int* out, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
