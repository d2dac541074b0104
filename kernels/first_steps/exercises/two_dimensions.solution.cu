/*--- lanescope
title = "Which way round? (solution)"
exercise = "first_steps/two_dimensions"

[params]
rows = { default = 24, min = 1, max = 512 }
cols = { default = 64, min = 1, max = 512, label = "columns" }

[buffers]
in  = { type = "int", shape = ["rows", "cols"], init = "random(0, 9)" }
out = { type = "int", shape = ["rows", "cols"] }

[[launch]]
kernel = "square"
grid   = ["ceil_div(max(rows, cols), 32)", "ceil_div(max(rows, cols), 8)"]
block  = ["32", "8"]
args   = ["in", "out", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "square(in)"
---*/
__global__ void square(const int* in, int* out, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col] * in[row * cols + col];
}
