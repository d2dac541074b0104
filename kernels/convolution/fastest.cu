/*--- lanescope
title = "Convolution of an image, sums in registers"

[params]
rows  = { default = 28, min = 0, max = 16384 }
quads = { default = 32, min = 0, max = 4096, label = "columns / 4" }
width = { default = 5, choices = [5, 9], label = "mask width" }

[buffers]
in   = { type = "float", shape = ["rows", "4 * quads"], init = "random(0, 9)" }
mask = { type = "float", shape = ["width", "width"], space = "constant", init = "random(0, 9)" }
out  = { type = "float", shape = ["rows", "4 * quads"] }

[[launch]]
kernel = "convolve<5, 7, float2>"
repeat = "w = width; w == 5; 0"
grid   = ["max(1, ceil_div(quads, 32))", "max(1, ceil_div(rows, 4 * 7))"]
block  = ["32", "4"]
args   = ["in", "out", "rows", "quads"]

[[launch]]
kernel = "convolve<9, 5, float4>"
repeat = "w = width; w == 9; 0"
grid   = ["max(1, ceil_div(quads, 32))", "max(1, ceil_div(rows, 4 * 5))"]
block  = ["32", "4"]
args   = ["in", "out", "rows", "quads"]

[[expect]]
buffer = "out"
equals = "convolve(in, mask)"
---*/
__constant__ float mask[9 * 9];

// The part of a row that a thread needs: a quad (four neighbouring columns), and on each side the cells of a Side.
// The quad is cell[4] to cell[7]. Outside the image the cells are 0. A block that is INSIDE needs no conditions.
template <bool INSIDE, class Side>
__device__ void load(float* cell, const float* in, int row, int rows, int quad, int quads) {
    Side left = {}, right = {};
    float4 mid = {};
    if (INSIDE || (row >= 0 && row < rows)) {
        const float4* from = (const float4*)in + row * quads + quad;
        mid = from[0];
        if (INSIDE || quad > 0)
            left = ((const Side*)from)[-1];
        if (INSIDE || quad < quads - 1)
            right = *(const Side*)(from + 1);
    }
    *(Side*)(cell + 4 - sizeof(Side) / 4) = left;
    *(float4*)(cell + 4) = mid;
    *(Side*)(cell + 8) = right;
}

// A thread computes HEIGHT rows of one quad. While it adds up one row, it already loads the next AHEAD rows.
template <int WIDTH, int HEIGHT, bool INSIDE, class Side>
__device__ void column(const float* __restrict__ in, float* __restrict__ out, int rows, int quads, int top, int quad) {
    const int AHEAD = 2, RADIUS = WIDTH / 2;
    __align__(16) float ring[AHEAD + 1][12];
#pragma unroll
    for (int i = 0; i < AHEAD; ++i)
        load<INSIDE, Side>(ring[i], in, top - RADIUS + i, rows, quad, quads);

    float sum[HEIGHT][4] = {};
#pragma unroll
    for (int i = 0; i < HEIGHT + 2 * RADIUS; ++i) {
        if (i + AHEAD < HEIGHT + 2 * RADIUS)
            load<INSIDE, Side>(ring[(i + AHEAD) % (AHEAD + 1)], in, top - RADIUS + i + AHEAD, rows, quad, quads);
        const float* cell = ring[i % (AHEAD + 1)];
#pragma unroll
        for (int r = 0; r < HEIGHT; ++r) {
            int m = i - r;  // row m of the mask lies on this row of the image
            if (m >= 0 && m < WIDTH)
#pragma unroll
                for (int k = 0; k < WIDTH; ++k)
#pragma unroll
                    for (int c = 0; c < 4; ++c)
                        sum[r][c] += cell[4 - RADIUS + c + k] * mask[m * WIDTH + k];
        }

        int r = i - 2 * RADIUS;  // the mask has passed this row
        if (r >= 0 && (INSIDE || top + r < rows)) {
            float4 sums = {sum[r][0], sum[r][1], sum[r][2], sum[r][3]};
            ((float4*)out)[(top + r) * quads + quad] = sums;
        }
    }
}

template <int WIDTH, int HEIGHT, class Side>
__global__ void convolve(const float* __restrict__ in, float* __restrict__ out, int rows, int quads) {
    int quad = blockIdx.x * blockDim.x + threadIdx.x;
    int top = (blockIdx.y * blockDim.y + threadIdx.y) * HEIGHT;
    if (quad >= quads)
        return;

    // The block loads the rows from `first` to `end - 1`, and cells on both sides of its quads.
    const int RADIUS = WIDTH / 2;
    int first = blockIdx.y * blockDim.y * HEIGHT - RADIUS;
    int end = first + blockDim.y * HEIGHT + 2 * RADIUS;
    if (first >= 0 && end <= rows && blockIdx.x > 0 && blockIdx.x < gridDim.x - 1)
        column<WIDTH, HEIGHT, true, Side>(in, out, rows, quads, top, quad);
    else
        column<WIDTH, HEIGHT, false, Side>(in, out, rows, quads, top, quad);
}
