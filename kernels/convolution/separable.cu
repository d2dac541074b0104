/*--- lanescope
title = "Convolution with a separable mask: rows, then columns"

[params]
rows   = { default = 16, min = 0, max = 16384 }
cols   = { default = 16, min = 0, max = 16384, label = "columns" }
radius = { default = 2, min = 0, max = 16 }

[buffers]
in     = { type = "int", shape = ["rows", "cols"], init = "random(0, 9)" }
mask   = { type = "int", count = "2 * radius + 1", init = "constant(1)" }
square = { type = "int", shape = ["2 * radius + 1", "2 * radius + 1"], init = "constant(1)" }
half   = { type = "int", shape = ["rows", "cols"] }
out    = { type = "int", shape = ["rows", "cols"] }

[[launch]]
kernel = "along_rows"
grid   = ["max(1, ceil_div(cols, 8))", "max(1, ceil_div(rows, 8))"]
block  = ["8", "8"]
args   = ["in", "mask", "half", "rows", "cols", "radius"]

[[launch]]
kernel = "along_columns"
grid   = ["max(1, ceil_div(cols, 8))", "max(1, ceil_div(rows, 8))"]
block  = ["8", "8"]
args   = ["half", "mask", "out", "rows", "cols", "radius"]

[[expect]]
buffer = "half"
equals = "convolve(in, mask)"

[[expect]]
buffer = "out"
equals = "convolve(in, square)"
---*/
__global__ void along_rows(const int* in, const int* mask, int* out, int rows, int cols, int radius) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols)
        return;

    int sum = 0;
    for (int k = -radius; k <= radius; ++k)
        if (col + k >= 0 && col + k < cols)
            sum += in[row * cols + col + k] * mask[radius + k];
    out[row * cols + col] = sum;
}

__global__ void along_columns(const int* in, const int* mask, int* out, int rows, int cols, int radius) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols)
        return;

    int sum = 0;
    for (int k = -radius; k <= radius; ++k)
        if (row + k >= 0 && row + k < rows)
            sum += in[(row + k) * cols + col] * mask[radius + k];
    out[row * cols + col] = sum;
}
