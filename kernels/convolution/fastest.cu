/*--- lanescope
title = "Convolution of an image, sums in registers"

[params]
rows  = { default = 16, min = 0, max = 16384 }
quads = { default = 32, min = 0, max = 4096, label = "columns / 4" }

[buffers]
in    = { type = "float", shape = ["rows", "4 * quads"], init = "random(0, 9)" }
mask5 = { type = "float", shape = ["5", "5"], space = "constant", init = "random(0, 9)" }
mask9 = { type = "float", shape = ["9", "9"], space = "constant", init = "random(0, 9)" }
out5  = { type = "float", shape = ["rows", "4 * quads"] }
out9  = { type = "float", shape = ["rows", "4 * quads"] }

[[launch]]
kernel = "convolve<5>"
grid   = ["max(1, ceil_div(quads, 32))", "max(1, ceil_div(rows, 4 * 4))"]
block  = ["32", "4"]
args   = ["in", "out5", "rows", "quads"]

[[launch]]
kernel = "convolve<9>"
grid   = ["max(1, ceil_div(quads, 32))", "max(1, ceil_div(rows, 4 * 4))"]
block  = ["32", "4"]
args   = ["in", "out9", "rows", "quads"]

[[expect]]
buffer = "out5"
equals = "convolve(in, mask5)"

[[expect]]
buffer = "out9"
equals = "convolve(in, mask9)"
---*/
__constant__ float mask5[5 * 5], mask9[9 * 9];

// A thread computes HEIGHT rows of one quad: four neighbouring columns, loaded and stored at once.
template <int WIDTH>
__global__ void convolve(const float* in, float* out, int rows, int quads) {
    const int HEIGHT = 4, RADIUS = WIDTH / 2;
    const float* mask = WIDTH == 5 ? mask5 : mask9;
    int quad = blockIdx.x * blockDim.x + threadIdx.x;
    int top = (blockIdx.y * blockDim.y + threadIdx.y) * HEIGHT;
    if (quad >= quads)
        return;

    float sum[HEIGHT][4] = {};
#pragma unroll
    for (int y = -RADIUS; y < HEIGHT + RADIUS; ++y) {
        float4 left = {}, mid = {}, right = {};
        if (top + y >= 0 && top + y < rows) {
            const float4* from = (const float4*)in + (top + y) * quads + quad;
            mid = from[0];
            if (quad > 0)
                left = from[-1];
            if (quad < quads - 1)
                right = from[1];
        }
        float cell[12] = {left.x, left.y, left.z, left.w, mid.x, mid.y, mid.z, mid.w,
                          right.x, right.y, right.z, right.w};
#pragma unroll
        for (int r = 0; r < HEIGHT; ++r) {
            int m = y - r + RADIUS;  // row m of the mask lies on row top + y of the image
            if (m >= 0 && m < WIDTH)
#pragma unroll
                for (int k = 0; k < WIDTH; ++k)
#pragma unroll
                    for (int c = 0; c < 4; ++c)
                        sum[r][c] += cell[4 - RADIUS + c + k] * mask[m * WIDTH + k];
        }
    }

#pragma unroll
    for (int r = 0; r < HEIGHT; ++r)
        if (top + r < rows) {
            float4 sums = {sum[r][0], sum[r][1], sum[r][2], sum[r][3]};
            ((float4*)out)[(top + r) * quads + quad] = sums;
        }
}
