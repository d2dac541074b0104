/*--- lanescope
title = "Convolution of an image, tile and halo in shared memory"

[params]
rows  = { default = 24, min = 0, max = 16384 }
cols  = { default = 24, min = 0, max = 16384, label = "columns" }
width = { default = 5, choices = [1, 3, 5, 7, 9], label = "mask width" }
tile  = { default = 12, choices = [8, 12, 16, 32, 64], label = "outputs of a block, in each direction" }

[buffers]
in   = { type = "int", shape = ["rows", "cols"], init = "random(0, 9)" }
mask = { type = "int", shape = ["width", "width"], space = "constant", values = [
    1, 2, 3, 2, 1,
    2, 3, 4, 3, 2,
    3, 4, 5, 4, 3,
    2, 3, 4, 3, 2,
    1, 2, 3, 2, 1] }
out  = { type = "int", shape = ["rows", "cols"] }

[[launch]]
kernel = "convolve"
grid   = ["max(1, ceil_div(cols, tile))", "max(1, ceil_div(rows, tile))"]
block  = ["16", "16"]
shared = "(tile + width - 1) * (tile + width - 1) * 4"
args   = ["in", "out", "rows", "cols", "width", "tile"]

[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
__constant__ int mask[9 * 9];

__global__ void convolve(const int* in, int* out, int rows, int cols, int width, int tile) {
    extern __shared__ int s[];
    int side = tile + width - 1;
    int top = blockIdx.y * tile;
    int left = blockIdx.x * tile;

    for (int y = threadIdx.y; y < side; y += blockDim.y)
        for (int x = threadIdx.x; x < side; x += blockDim.x) {
            int r = top + y - width / 2;
            int c = left + x - width / 2;
            s[y * side + x] = r >= 0 && r < rows && c >= 0 && c < cols ? in[r * cols + c] : 0;
        }
    __syncthreads();

    for (int y = threadIdx.y; y < tile && top + y < rows; y += blockDim.y)
        for (int x = threadIdx.x; x < tile && left + x < cols; x += blockDim.x) {
            int sum = 0;
            for (int i = 0; i < width; ++i)
                for (int k = 0; k < width; ++k)
                    sum += s[(y + i) * side + x + k] * mask[i * width + k];
            out[(top + y) * cols + left + x] = sum;
        }
}
