/*--- lanescope
title = "Convolution of an image of floats, any mask up to 15 × 15"

[params]
rows  = { default = 24, min = 1, max = 16384 }
cols  = { default = 24, min = 1, max = 16384, label = "columns" }
width = { default = 5, choices = [1, 3, 5, 7, 9, 11, 13, 15], label = "mask width" }
tile  = { default = 16, choices = [8, 16, 32], label = "outputs of a block, in each direction" }

[buffers]
in   = { type = "float", shape = ["rows", "cols"], init = "random(0, 9)" }
mask = { type = "float", shape = ["width", "width"], space = "constant", init = "random(0, 9)" }
out  = { type = "float", shape = ["rows", "cols"] }

[[launch]]
kernel = "convolve"
grid   = ["ceil_div(cols, tile)", "ceil_div(rows, tile)"]
block  = ["16", "16"]
shared = "(tile + width - 1) * (tile + width - 1) * 4"
args   = ["in", "out", "rows", "cols", "width", "tile"]

[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
__constant__ float mask[15 * 15];

__global__ void convolve(const float* in, float* out, int rows, int cols, int width, int tile) {
    extern __shared__ float s[];
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
            float sum = 0;
            for (int i = 0; i < width; ++i)
                for (int k = 0; k < width; ++k)
                    sum += s[(y + i) * side + x + k] * mask[i * width + k];
            out[(top + y) * cols + left + x] = sum;
        }
}
