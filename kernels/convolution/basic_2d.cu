/*--- lanescope
title = "Convolution of an image"

[params]
rows  = { default = 7, min = 0, max = 16384 }
cols  = { default = 7, min = 0, max = 16384, label = "columns" }
width = { default = 5, choices = [1, 3, 5, 7, 9], label = "mask width" }

[buffers]
in   = { type = "uchar", shape = ["rows", "cols"], values = [
    1, 2, 3, 4, 5, 6, 7,
    2, 3, 4, 5, 6, 7, 8,
    3, 4, 5, 6, 7, 8, 9,
    4, 5, 6, 7, 8, 5, 6,
    5, 6, 7, 8, 5, 6, 7,
    6, 7, 8, 9, 0, 1, 2,
    7, 8, 9, 0, 1, 2, 3] }
mask = { type = "int", shape = ["width", "width"], values = [
    1, 2, 3, 2, 1,
    2, 3, 4, 3, 2,
    3, 4, 5, 4, 3,
    2, 3, 4, 3, 2,
    1, 2, 3, 2, 1] }
out  = { type = "int", shape = ["rows", "cols"] }

[[launch]]
kernel = "convolve"
grid   = ["max(1, ceil_div(cols, 8))", "max(1, ceil_div(rows, 8))"]
block  = ["8", "8"]
args   = ["in", "mask", "out", "rows", "cols", "width"]

[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
__global__ void convolve(const unsigned char* in, const int* mask, int* out, int rows, int cols, int width) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols)
        return;

    int sum = 0;
    for (int y = 0; y < width; ++y)
        for (int x = 0; x < width; ++x) {
            int r = row + y - width / 2;
            int c = col + x - width / 2;
            if (r >= 0 && r < rows && c >= 0 && c < cols)
                sum += in[r * cols + c] * mask[y * width + x];
        }
    out[row * cols + col] = sum;
}
