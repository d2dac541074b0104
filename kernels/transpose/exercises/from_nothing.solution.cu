/*--- lanescope
title = "Transpose a matrix, from nothing (solution)"
exercise = "transpose/from_nothing"

[params]
rows = { default = 40, min = 1, max = 1024 }
cols = { default = 70, min = 1, max = 1024, label = "columns" }

[buffers]
in  = { type = "int", shape = ["rows", "cols"], init = "random(0, 999)" }
out = { type = "int", shape = ["cols", "rows"] }

[[launch]]
kernel = "transpose"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 32)"]
block  = ["32", "8"]
args   = ["in", "out", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "transpose(in)"
---*/
__global__ void transpose(const int* in, int* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    for (int row = blockIdx.y * 32 + threadIdx.y; row < (blockIdx.y + 1) * 32; row += blockDim.y)
        if (row < rows && col < cols)
            out[col * rows + row] = in[row * cols + col];
}
