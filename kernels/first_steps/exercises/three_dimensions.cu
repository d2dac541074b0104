/*--- lanescope
title = "Planes, rows and columns"
exercise = "first_steps/three_dimensions"

[params]
planes = { default = 3, min = 1, max = 64 }
rows   = { default = 6, min = 1, max = 256 }
cols   = { default = 40, min = 1, max = 256, label = "columns" }

[buffers]
in  = { type = "int", count = "planes * rows * cols", init = "random(0, 9)" }
out = { type = "int", count = "planes * rows * cols" }

[[launch]]
kernel = "square"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 4)", "ceil_div(planes, 2)"]
block  = ["32", "4", "2"]
args   = ["in", "out", "planes", "rows", "cols"]

[[expect]]
buffer = "out"
equals = "square(in)"
---*/
__global__ void square(const int* in, int* out, int planes, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        int i = row * cols + col;
        out[i] = in[i] * in[i];
    }
}
