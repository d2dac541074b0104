/*--- lanescope
title = "The padding of a convolution"
exercise = "attention/padding"

[params]
images   = { default = 1, min = 1, max = 1024 }
channels = { default = 2, min = 1, max = 1024, label = "channels of an image" }
rows     = { default = 4, min = 0, max = 4096 }
cols     = { default = 8, min = 0, max = 4096, label = "columns" }
filters  = { default = 8, min = 1, max = 1024 }
width    = { default = 3, choices = [1, 3, 5, 7], label = "filter width" }

[buffers]
in      = { type = "float", shape = ["images * channels * rows", "cols"], init = "random(0, 9)" }
weights = { type = "float", shape = ["filters", "channels * width * width"], init = "random(-2, 2)" }
out     = { type = "float", shape = ["images * filters * rows", "cols"] }

[[launch]]
kernel = "convolve"
grid   = ["max(1, ceil_div(images * rows * cols, 8))", "ceil_div(filters, 8)"]
block  = ["8", "8"]
args   = ["in", "weights", "out", "images", "channels", "rows", "cols", "filters", "width"]

[[expect]]
buffer = "out"
equals = "convolve_channels(in, weights, channels, rows)"
---*/
constexpr int tile = 8;

__global__ void convolve(const float* in, const float* weights, float* out, int images, int channels, int rows,
                         int cols, int filters, int width) {
    __shared__ float sw[tile][tile], sx[tile][tile];
    int x = threadIdx.x, pixel = blockIdx.x * tile + x, pixels = images * rows * cols;
    int y = threadIdx.y, filter = blockIdx.y * tile + y, terms = channels * width * width;
    float sum = 0;
    for (int first = 0; first < terms; first += tile) {
        sw[y][x] = filter < filters && first + x < terms ? weights[filter * terms + first + x] : 0;

        // Element (k, pixel) of the matrix that im2col would write: what lies under weight k at this pixel.
        int k = first + y;
        sx[y][x] = 0;
        if (k < terms && pixel < pixels) {
            int image = pixel / cols / rows, channel = k / width / width;
            int row = pixel / cols % rows + k / width % width - width / 2;
            int col = pixel % cols + k % width - width / 2;
            if (row >= 0 && row < rows && col >= 0 && col < cols)
                sx[y][x] = in[((image * channels + channel) * rows + row) * cols + col];
        }
        __syncthreads();  // the tiles are complete
        for (int i = 0; i < tile; ++i)
            sum += sw[y][i] * sx[i][x];
        __syncthreads();  // the tiles are used up
    }
    if (filter < filters && pixel < pixels) {
        int image = pixel / cols / rows;
        out[(image * filters + filter) * rows * cols + pixel % (rows * cols)] = sum;
    }
}
