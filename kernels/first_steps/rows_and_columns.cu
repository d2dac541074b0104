/*--- lanescope
title = "Rows and columns"

[params]
rows = { default = 5, min = 0, max = 32768, label = "rows" }
cols = { default = 10, min = 0, max = 32768, label = "columns" }

[buffers]
in  = { type = "int", shape = ["rows", "cols"], init = "iota" }
out = { type = "int", shape = ["rows", "cols"] }

[[launch]]
kernel = "square"
grid   = ["max(1, ceil_div(cols, 8))", "max(1, ceil_div(rows, 4))"]
block  = ["8", "4"]
args   = ["in", "out", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "square(in)"
---*/
__global__ void square(const int* in, int* out, unsigned rows, unsigned cols) {
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        unsigned i = row * cols + col;
        out[i] = in[i] * in[i];
    }
}
